#include "harness/conformance/sequence_vectors.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/conformance/vectors.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

using document::Value;

std::vector<Value> recorded_lines() {
  std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kserve/hpa.ndjson");
  std::vector<Value> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(document::read_json(line).value());
  return lines;
}

TEST(Conformance, KserveHpa) {
  const auto lines = recorded_lines();
  EXPECT_GE(lines.size(), 120u);
  for (const Value& line : lines) {
    const auto compared = check_line(line);
    EXPECT_EQ(compared.answer, Compared::Answer::agreed)
        << line["id"].text() << ": " << (compared.differences.empty() ? "" : compared.differences.front());
  }
}

/// The comparison covers every expectation: it notices a change to any of them.
TEST(Conformance, AnExpectationThatIsChangedIsSeen) {
  std::size_t seen = 0;
  for (const Value& line : recorded_lines()) {
    for (const char* member : {"action", "error", "panic", "other", "hpa"}) {
      Value changed = line;
      Value& expect = changed.edit("steps").edit(0).edit("expect");
      const bool is_text = std::string_view(member) != "hpa" && std::string_view(member) != "other";
      const Value other = is_text ? Value("something") : Value::list({"create v9.Else"});
      if (expect[member].is_null() || is_text)
        expect.set(member, other);
      else
        expect.remove(member);
      if (expect == line["steps"].at(0)["expect"]) continue;
      const bool is_new_text_of_old_error =
          !line["steps"].at(0)["expect"][member].is_null() && std::string_view(member) != "action" && is_text;
      const auto answer = check_line(changed).answer;
      EXPECT_EQ(answer, is_new_text_of_old_error ? Compared::Answer::agreed : Compared::Answer::disagreed)
          << line["id"].text() << " " << member;
      ++seen;
    }
  }
  EXPECT_GT(seen, 400u);
}

TEST(Conformance, AnUnknownReleaseIsUnsupported) {
  Value line = recorded_lines().front();
  line.set("version", "v9.0.0");
  EXPECT_EQ(check_line(line).answer, Compared::Answer::unsupported);
}

}  // namespace
}  // namespace fixpoint::conformance
