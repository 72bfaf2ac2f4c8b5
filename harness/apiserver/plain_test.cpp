#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/requests.h"
#include "harness/apiserver/both_ways_model.h"
#include "harness/apiserver/lists.h"
#include "harness/apiserver/plain_default_model.h"
#include "harness/apiserver/plain_patch_model.h"
#include "harness/apiserver/plain_schema_model.h"
#include "harness/document/json.h"
#include "harness/patterns_model.h"
#include "harness/runner/examine.h"
#include "injectors/catalog.h"

namespace fixpoint::apiserver {
namespace {

using plain::Json;

/// Whether a line tests texts and spells characters as escapes, which nlohmann's texts do not keep.
bool spells_texts(const std::string& line) {
  const bool has_escapes = line.find("\\u") != std::string::npos || line.find("\\/") != std::string::npos;
  return has_escapes && line.find("\"test\"") != std::string::npos;
}

/// The lines of recorded behaviour of a kind that the plain model can hold.
std::vector<Json> lines_of(const std::string& kind, const std::vector<std::string>& files) {
  std::vector<Json> lines;
  for (const std::string& name : files) {
    std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/" + name + ".ndjson");
    EXPECT_TRUE(in.good()) << name;
    for (std::string text; std::getline(in, text);) {
      try {
        Json line = plain::read(text);
        if (line["kind"] == kind && !spells_texts(text)) lines.push_back(std::move(line));
      } catch (const plain::Beyond&) {
      }
    }
  }
  return lines;
}

int minor_of_line(const Json& line) {
  return line.contains("version") ? std::stoi(plain::text_at(line, "version").substr(2)) : 36;
}

std::string id_of(const Json& line) {
  return plain::text_at(line, "kind") + " " + plain::text_at(line, "id");
}

/// Expects of every line that `answer` gives `out`, or throws where there is an error.
template <typename Answer>
void expect_recorded(const std::string& kind, std::size_t at_least, Answer answer) {
  const auto lines = lines_of(kind, {kind, "found", "rules"});
  EXPECT_GE(lines.size(), at_least);
  for (const Json& line : lines) {
    try {
      const Json out = answer(line);
      EXPECT_FALSE(line.contains("error")) << id_of(line);
      if (out != plain::at(line, "out"))
        ADD_FAILURE() << id_of(line) << " " << Json::diff(plain::at(line, "out"), out).dump().substr(0, 500);
    } catch (const plain::Undecodable& problem) {
      EXPECT_TRUE(line.contains("error")) << id_of(line) << ": " << problem.what();
    } catch (const plain::PatchRefused& problem) {
      const bool is_syntax = problem.kind == plain::PatchRefused::Kind::syntax;
      EXPECT_EQ(plain::text_at(line, "error"), is_syntax ? "syntax" : "apply")
          << id_of(line) << problem.what();
    } catch (const plain::Beyond&) {
    }
  }
}

Json decoded_of(const Json& line) {
  Json pod = plain::decode_object(line["in"], minor_of_line(line), nullptr);
  if (!plain::is_pod(pod)) throw plain::Undecodable("an object of another kind");
  pod["kind"] = "Pod";
  pod["apiVersion"] = "v1";
  return pod;
}

TEST(PlainModel, DecodesAsRecorded) { expect_recorded("decode", 200, decoded_of); }

TEST(PlainModel, DefaultsAsRecorded) {
  expect_recorded("default", 500, [](const Json& line) {
    return plain::with_defaults(decoded_of(line), minor_of_line(line));
  });
}

TEST(PlainModel, PatchesAsRecorded) {
  expect_recorded("patch", 650, [](const Json& line) {
    const Json patch = plain::read_patch(plain::write(line["patch"]));
    return plain::each(patch).empty() ? line["doc"]
                                      : plain::apply_patch(line["doc"], patch, minor_of_line(line), false);
  });
}

long number_from(const char* variable, long otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : std::atol(said);
}

generators::DrawOptions everything() {
  return {.subjects = injectors::newest(injectors::Role::subject),
          .peers = injectors::newest(injectors::Role::peer),
          .resolve = injectors::resolve};
}

/// The end of this part of FIXPOINT_PLAIN_SECONDS; far away when nobody says how long it may take.
class Deadline {
 public:
  explicit Deadline(double share)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(
                 share * static_cast<double>(number_from("FIXPOINT_PLAIN_SECONDS", 1'000'000))))) {}
  bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

/// Random Cases both ways: FIXPOINT_PLAIN_CASES of them (2,000), from FIXPOINT_PLAIN_SEED (2026), or as many
/// as FIXPOINT_PLAIN_SECONDS allow.
TEST(PlainModel, AgreesWithTheSimulatorOnRandomCases) {
  const generators::Repertoire repertoire(everything());
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_PLAIN_SEED", 2026));
  const long wanted = number_from("FIXPOINT_PLAIN_CASES", 2000);
  const Deadline deadline(1);
  long drawn = 0, beyond = 0, calls = 0, applied = 0, errors = 0, differing = 0;
  for (; drawn < wanted && differing < 10 && !deadline.is_over(); ++drawn) {
    runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
    const cases::Case value = generators::draw(choices, repertoire);
    const auto handlers = webhooks::handlers(value, injectors::resolve);
    ASSERT_TRUE(handlers.ok());
    const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
    BothWays both(value, with_faults);
    std::vector<std::string> differences;
    try {
      differences = both.differences();
    } catch (const plain::Beyond&) {
      ++beyond;
    } catch (const std::exception& problem) {
      differences = {std::string("the plain model fails: ") + problem.what()};
    }
    calls += both.calls();
    applied += both.applied();
    errors += both.errors();
    if (differences.empty()) continue;
    ++differing;
    std::string text = "Case " + std::to_string(drawn) + " of seed " + std::to_string(seed) + "\n";
    for (const std::string& difference : differences) text += difference + "\n";
    if (std::getenv("FIXPOINT_PLAIN_SHOW") != nullptr) text += cases::canonical_text(value);
    ADD_FAILURE() << text;
  }
  std::printf(
      "%ld Cases, %ld beyond the plain model, %ld calls, %ld patches applied, %ld errors known to both\n",
      drawn, beyond, calls, applied, errors);
  EXPECT_LT(beyond * 100, drawn + 100);
  EXPECT_GT(applied * 4, drawn);
}

/// Script webhooks that help, hinder and hurt one another, as the recorder is asked: FIXPOINT_PLAIN_QUESTIONS
/// of them (500), or as many as a quarter of FIXPOINT_PLAIN_SECONDS allows.
TEST(PlainModel, AgreesWithTheSimulatorOnHostileCases) {
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_PLAIN_SEED", 2026));
  const long wanted = number_from("FIXPOINT_PLAIN_QUESTIONS", 500);
  const Deadline deadline(0.25);
  long beyond = 0, differing = 0, calls = 0, drawn = 0;
  for (; drawn < wanted && differing < 5 && !deadline.is_over(); ++drawn) {
    runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
    const cases::Case value = generators::draw_hostile_case(choices, kNewestMinor);
    const auto handlers = webhooks::handlers(value, injectors::resolve);
    ASSERT_TRUE(handlers.ok());
    const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
    BothWays both(value, with_faults);
    std::string text;
    try {
      for (const std::string& difference : both.differences()) text += difference + "\n";
    } catch (const plain::Beyond&) {
      ++beyond;
    } catch (const std::exception& problem) {
      text = std::string("the plain model fails: ") + problem.what();
    }
    calls += both.calls();
    if (text.empty()) continue;
    ++differing;
    ADD_FAILURE() << "hostile Case " << drawn << " of seed " << seed << "\n"
                  << text << cases::canonical_text(value);
  }
  std::printf("%ld hostile Cases, %ld beyond the plain model, %ld calls\n", drawn, beyond, calls);
  EXPECT_LT(beyond * 2, drawn + 10);
}

/// Random questions of the recorder's kinds, which go where Cases of webhooks do not: every field, null,
/// zero, of another type; FIXPOINT_PLAIN_QUESTIONS of each kind (1,500), or as many as a sixteenth of
/// FIXPOINT_PLAIN_SECONDS allows.
TEST(PlainModel, AgreesWithTheSimulatorOnRandomQuestions) {
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_PLAIN_SEED", 2026));
  const long wanted = number_from("FIXPOINT_PLAIN_QUESTIONS", 1500);
  for (const char* kind : {"decode", "default", "patch", "validate"}) {
    const Deadline deadline(1.0 / 16);
    long beyond = 0, differing = 0, drawn = 0;
    for (; drawn < wanted && differing < 5 && !deadline.is_over(); ++drawn) {
      runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
      const std::string question = document::write_json(generators::draw_request(kind, "q", choices));
      std::string difference;
      try {
        difference = difference_on(question);
      } catch (const plain::Beyond&) {
        ++beyond;
      } catch (const std::exception& problem) {
        difference = std::string("the plain model fails: ") + problem.what();
      }
      if (difference.empty()) continue;
      ++differing;
      ADD_FAILURE() << kind << " " << drawn << " of seed " << seed << ": " << difference << "\n" << question;
    }
    std::printf("%s: %ld questions, %ld beyond the plain model\n", kind, drawn, beyond);
    EXPECT_LT(beyond * 2, drawn + 10) << kind;
  }
}

/// Recorded admissions by the plain model alone.
TEST(PlainModel, AdmitsAsRecorded) {
  int admitted = 0;
  for (const Json& line : lines_of("admit", {"admit", "admit-managed", "found", "rules"})) {
    const auto value =
        cases::read_case(*document::read_json(plain::write(line["case"]), {}, document::Strictness::foreign));
    ASSERT_TRUE(value.ok()) << id_of(line);
    const auto handlers = webhooks::handlers(*value, injectors::resolve);
    ASSERT_TRUE(handlers.ok()) << id_of(line);
    const auto with_faults = webhooks::with_all_faults(*handlers, value->faults);
    BothWays both(*value, with_faults);
    try {
      for (const std::string& difference : both.differences())
        ADD_FAILURE() << id_of(line) << ": " << difference;
    } catch (const plain::Beyond&) {
      continue;
    }
    const plain::Admission& found = both.plainly();
    const Json& outcome = line["outcome"];
    ++admitted;
    EXPECT_EQ(found.passes, plain::at(outcome, "passes")) << id_of(line);
    // The object of an Outcome is there even when the registry refuses it in the end.
    const bool passed = !plain::at(outcome, "object").is_null();
    EXPECT_EQ(found.allowed, passed) << id_of(line);
    if (!passed) {
      EXPECT_EQ(Json(found.code), plain::at(plain::at(outcome, "status"), "code")) << id_of(line);
    }
    if (plain::at(outcome, "object") != found.object)
      ADD_FAILURE() << id_of(line) << " "
                    << Json::diff(plain::at(outcome, "object"), found.object).dump().substr(0, 500);
  }
  EXPECT_GT(admitted, 600);
}

/// Two containers of one name are a fault of their own; the lists of each stand for themselves all the same.
TEST(RepeatedKeys, ContainersOfOneNameHaveListsOfTheirOwn) {
  const char* text = R"({"spec": {"containers": [
    {"name": "a", "env": [{"name": "X"}, {"name": "X"}]},
    {"name": "a", "env": [{"name": "X"}, {"name": "Y"}, {"name": "Y"}]}]}})";
  std::vector<std::string> paths;
  for (const Repeated& repeated : repeated_keys(*document::read_json(text))) paths.push_back(repeated.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"spec.containers[1].name", "spec.containers[0].env[1].name",
                                             "spec.containers[1].env[2].name"}));
}

/// The model is of use only as long as it shares nothing with what it is held against.
TEST(PlainModel, IncludesNothingOfTheSimulator) {
  namespace files = std::filesystem;
  static const std::string include(R"(#include ([<"])([^>"]+)[>"])"),
      own("harness/apiserver/plain_[a-z]+_model\\.h");
  static const std::string standard("[a-z_]+|nlohmann/json\\.hpp");
  int read = 0;
  for (const auto& entry : files::directory_iterator(FIXPOINT_SOURCE "/harness/apiserver")) {
    const std::string name = entry.path().filename().string();
    if (!is_whole(name, "plain_[a-z]+_model\\.(h|cpp)")) continue;
    ++read;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string whole = text.str();
    for (const auto& match : all_found(whole, include)) {
      const bool is_own = match[1] == "\"";
      const std::string included = match[2];
      EXPECT_TRUE(is_whole(included, is_own ? own : standard)) << name << " includes " << included;
    }
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace fixpoint::apiserver
