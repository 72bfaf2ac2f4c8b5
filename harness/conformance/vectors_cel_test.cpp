#include "harness/conformance/vectors_cel.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

/// Replays every recorded expression: value, messages and cost.
TEST(VectorsCel, AgreesInEveryRecordedLine) {
  std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/cel.ndjson");
  ASSERT_TRUE(in.good());
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    const auto read = document::read_json(line, {}, document::Strictness::foreign);
    ASSERT_TRUE(read.ok()) << line;
    const Compared compared = check_line(*read);
    EXPECT_EQ(compared.answer, Compared::Answer::agreed) << differences_text(*read, compared);
  }
  EXPECT_GT(count, 1000U);
}

TEST(VectorsCel, AnOtherValueMessageOrCostDisagrees) {
  const auto line = [](const std::string& expression, const std::string& expect) {
    return document::read_json(R"({"kind":"cel","id":"x","expression":")" + expression + R"(","expect":)" +
                               expect + "}")
        .value();
  };
  EXPECT_EQ(check_line(line("1 + 1", R"({"value":2,"cost":1})")).answer, Compared::Answer::agreed);
  for (const auto& [expression, expect] :
       {std::pair("1 + 1", R"({"value":3,"cost":1})"), std::pair("1 + 1", R"({"value":{"uint":2},"cost":1})"),
        std::pair("1 + 1", R"({"value":2,"cost":2})"),
        std::pair("1 / 0", R"({"runtimeError":"other","cost":1})"),
        std::pair("1 +", R"({"value":2,"cost":1})")}) {
    EXPECT_EQ(check_line(line(expression, expect)).answer, Compared::Answer::disagreed) << expression;
  }
  EXPECT_EQ(check_line(line("google.protobuf.Empty{}", "{}")).answer, Compared::Answer::unsupported);
}

}  // namespace
}  // namespace fixpoint::conformance
