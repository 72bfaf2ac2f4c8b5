#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/recorded_texts.h"
#include "harness/conformance/vectors.h"
#include "harness/document/json.h"

namespace fixpoint {
namespace {

using document::Value;

constexpr const char* kVectors = FIXPOINT_SOURCE "/corpus/conformance/kubernetes";

/// A text that the sources have and no line shows.
struct Unshown {
  std::string_view text;
  std::string_view why;
};
constexpr std::array kUnshown{
    Unshown{"must be specified for an update", "the registry fills the version in before it validates"},
    Unshown{"environment variable name must be non-empty", "an empty name is reported as required"},
    Unshown{"unable to parse numeric part of quantity", "the form of the number is checked before"},
    Unshown{"json: cannot unmarshal {} into Go value of type v1.{}",
            "a Pod that is no object has no kind either"},
    Unshown{
        "received invalid webhook response: expected webhook response of {}, Kind=AdmissionReview, got {}, "
        "Kind=AdmissionReview",
        "no fault answers with the other known version"},
    Unshown{"webhook returned invalid response.patchType of \"\"",
            "no fault answers with an empty patchType"},
    Unshown{"ValidatingAdmissionPolicy '{}' with binding '{}' denied request: {}",
            "no admission with a validating policy was recorded"},
    Unshown{"Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {}", "the same"},
    Unshown{"failed expression: {}", "the same"},
    Unshown{"cannot be decremented", "only controllers make a stored status with a count of collisions"},
    Unshown{"cannot use both timeZone field and TZ or CRON_TZ in schedule",
            "no server stores a schedule with a zone any more"},
    Unshown{"the spec replicas field {} cannot be empty", "answers of 400 are recorded without texts"},
    Unshown{"cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
            "no server stores a complete Job whose criteria are not met any more"},
};

/// Texts that only minors before 1.34 say, whose lines were recorded without texts.
constexpr std::array<std::string_view, 7> kOfOlderMinors{
    "'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    "must not be set for init containers",
    "may not be set for non-init containers",
    "a valid environment variable name must consist of alphabetic characters",
    "Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.",
    "memory limits cannot be decreased unless resizePolicy is RestartContainer",
    "must specify a volume type"};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The characters of a literal, without its escapes; `at` is behind its first quote, then behind its last.
std::string literal_at(const std::string& source, std::size_t& at) {
  std::string text;
  for (; at < source.size() && source[at] != '"'; ++at) {
    if (source[at] == '\\') ++at;
    text += source[at];
  }
  ++at;
  return text;
}

/// The text that begins at `at`, behind `Text`: a name perhaps, a parenthesis and literals; empty if there is
/// none.
std::string text_at(const std::string& source, std::size_t at) {
  const auto is_part_of_name = [](char c) {
    return c == ' ' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  while (at < source.size() && is_part_of_name(source[at])) ++at;
  if (at >= source.size() || source[at] != '(') return {};
  std::string text;
  for (++at; at < source.size(); ++at) {
    if (source[at] == '"') {
      text += literal_at(source, ++at);
      --at;
    } else if (source[at] != ' ' && source[at] != '\n') {
      break;
    }
  }
  return source[at] == ')' ? text : std::string();
}

/// Every text of the sources, with the file that has it.
std::map<std::string, std::string> texts_of_sources() {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FIXPOINT_SOURCE "/harness")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".cpp") && !name.ends_with(".h")) continue;
    if (name.ends_with("_test.cpp")) continue;
    const std::string source = content_of(entry.path());
    for (auto at = source.find("Text"); at != std::string::npos; at = source.find("Text", at + 4)) {
      if (at > 0 && std::isalnum(static_cast<unsigned char>(source[at - 1])) != 0) continue;
      std::string text = text_at(source, at + 4);
      if (text.size() > 2) texts.emplace(std::move(text), name);
    }
  }
  return texts;
}

/// Returns true if the text stands in the recorded one, any values in the places of {}.
bool shows(std::string_view recorded, std::string_view text) {
  while (true) {
    const auto place = text.find("{}");
    const std::string_view part = text.substr(0, place);
    const auto found = recorded.find(part);
    if (found == std::string_view::npos) return false;
    if (place == std::string_view::npos) return true;
    recorded.remove_prefix(found + part.size());
    text.remove_prefix(place + 2);
  }
}

void collect(const Value& line, std::set<std::string>& all) {
  const auto add = [&](const Value& text) {
    if (!text.text().empty()) all.emplace(text.text());
  };
  add(line["error"]);
  add(line["message"]);
  add(line["outcome"]["status"]["message"]);
  for (const Value& cause : line["outcome"]["validating"]["causes"].elements()) add(cause["message"]);
  for (const Value& error : line["errors"].elements()) add(error["message"]);
  for (const Value& error : line["outcome"]["invalid"].elements()) add(error["message"]);
  for (const Value& warning : line["outcome"]["warnings"].elements()) add(warning);
  for (const Value& error : line["invalid"].elements()) add(error["message"]);
}

std::set<std::string> recorded_texts() {
  std::set<std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kVectors)) {
    if (entry.path().extension() != ".ndjson") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      const auto read = document::read_json(line, {}, document::Strictness::foreign);
      if (read) collect(*read, all);
    }
  }
  return all;
}

bool is_listed(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return std::any_of(kUnshown.begin(), kUnshown.end(),
                     [&](const Unshown& row) { return row.text == text; }) ||
         std::any_of(kOfOlderMinors.begin(), kOfOlderMinors.end(), has);
}

TEST(ServerTexts, EachIsShownByARecordedLine) {
  const auto texts = texts_of_sources();
  EXPECT_GT(texts.size(), 350u);
  const auto recorded = recorded_texts();
  for (const auto& entry : texts) {
    const std::string& text = entry.first;
    const bool is_shown = std::any_of(recorded.begin(), recorded.end(),
                                      [&](const std::string& one) { return shows(one, text); });
    EXPECT_NE(is_shown, is_listed(text)) << entry.second << ": " << text;
  }
}

TEST(ServerTexts, AtMostTenAreExcused) {
  const auto recorded = recorded_texts();
  EXPECT_LE(cases::excused_texts().size(), 10u);
  for (const cases::ExcusedText& row : cases::excused_texts()) {
    EXPECT_FALSE(row.why.empty()) << row.part;
    const bool is_recorded = std::any_of(recorded.begin(), recorded.end(), [&](const std::string& one) {
      return one.find(row.part) != std::string::npos;
    });
    EXPECT_TRUE(is_recorded) << row.part;
  }
}

/// The line with another text, where it has one.
Value with_another_text(const Value& line) {
  Value changed = line;
  if (!line["message"].is_null()) {
    changed.set("message", "another text");
  } else if (!line["error"].is_null()) {
    changed.set("error", "another text");
  } else if (!line["errors"].empty()) {
    changed.edit("errors").edit(0).set("message", "another text");
  } else if (!line["outcome"]["status"]["message"].text().empty()) {
    changed.edit("outcome").edit("status").set("message", "another text");
  }
  return changed;
}

TEST(ServerTexts, AChangedRecordDisagrees) {
  std::ifstream in(std::string(kVectors) + "/texts.ndjson");
  std::map<std::string, int> changed;
  for (std::string text; std::getline(in, text);) {
    const Value line = *document::read_json(text, {}, document::Strictness::foreign);
    const Value other = with_another_text(line);
    if (other == line || ++changed[std::string(line["kind"].text())] > 20) continue;
    EXPECT_EQ(conformance::check_line(line).answer, conformance::Compared::Answer::agreed) << text;
    EXPECT_EQ(conformance::check_line(other).answer, conformance::Compared::Answer::disagreed) << text;
  }
  EXPECT_EQ(changed.size(), 4u) << "decode, patch, validate, admit";
}

TEST(ServerTexts, AnotherTextDisagrees) {
  EXPECT_TRUE(cases::agrees_with_recorded("", "anything"));
  EXPECT_TRUE(cases::agrees_with_recorded("Required value", "Required value"));
  EXPECT_FALSE(cases::agrees_with_recorded("Required value", "Required value: a name"));
  EXPECT_TRUE(cases::is_cut_short("Internal error occurred: failed calling webhook \"a.b.c\""));
  EXPECT_FALSE(cases::is_cut_short("Internal error occurred: failed calling webhook \"a.b.c\": no"));
}

}  // namespace
}  // namespace fixpoint
