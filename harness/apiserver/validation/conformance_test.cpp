#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// The recorded lines of a kind: those of its own file, those found by live runs, and those for single rules.
std::vector<Value> lines_of(const std::string& kind) {
  std::vector<Value> lines;
  for (const std::string& name : {kind, std::string("found"), std::string("rules")}) {
    std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/" + name + ".ndjson");
    EXPECT_TRUE(in.good()) << name;
    for (std::string line; std::getline(in, line);) {
      Value read = *document::read_json(line, {}, document::Strictness::foreign);
      if (read["kind"].text() == kind) lines.push_back(std::move(read));
    }
  }
  return lines;
}

int minor_of_line(const Value& line) {
  const auto version = line["version"].text();
  return version.empty() ? kNewestMinor : std::stoi(std::string(version.substr(2)));
}

std::string listed(const std::vector<FieldError>& errors) {
  std::string text;
  for (const FieldError& error : errors) text += error.type + " " + error.field + "\n";
  return text;
}

void expect_answer(const Value& line, const document::Result<Value>& answer) {
  if (line.find("error") != nullptr) {
    EXPECT_FALSE(answer.ok()) << line["id"].text();
    return;
  }
  ASSERT_TRUE(answer.ok()) << line["id"].text();
  EXPECT_EQ(document::write_json(document::sorted(*answer)),
            document::write_json(document::sorted(line["out"])))
      << line["id"].text();
}

TEST(Conformance, Decode) {
  for (const Value& line : lines_of("decode"))
    expect_answer(line, received_pod(line["in"], minor_of_line(line)));
}

TEST(Conformance, Default) {
  for (const Value& line : lines_of("default"))
    expect_answer(line, defaulted_pod(line["in"], minor_of_line(line)));
}

TEST(Conformance, Validate) {
  for (const Value& line : lines_of("validate")) {
    const auto errors =
        errors_of_request(line["operation"].text(), line["pod"], line["old"], minor_of_line(line));
    ASSERT_TRUE(errors.ok()) << line["id"].text();
    std::vector<FieldError> wanted;
    for (const Value& error : line["errors"].elements()) {
      wanted.push_back({std::string(error["type"].text()), std::string(error["field"].text()), ""});
    }
    EXPECT_EQ(listed(*errors), listed(wanted)) << line["id"].text();
  }
}

TEST(Conformance, Warn) {
  for (const Value& line : lines_of("warn")) {
    const auto warnings = warnings_of_request(line["pod"], minor_of_line(line));
    ASSERT_TRUE(warnings.ok()) << line["id"].text();
    std::vector<std::string> wanted;
    for (const Value& warning : line["warnings"].elements()) wanted.emplace_back(warning.text());
    EXPECT_EQ(*warnings, wanted) << line["id"].text();
  }
}

/// Laws that hold for every recorded Pod.
TEST(Laws, DecodingAndDefaultingSettleAtOnce) {
  for (const Value& line : lines_of("default")) {
    const auto decoded = decode_pod(line["in"]);
    if (!decoded) continue;
    EXPECT_TRUE(decode_pod(*decoded)->same(*decoded)) << line["id"].text();
    const Value defaulted = default_pod(*decoded);
    EXPECT_TRUE(decode_pod(defaulted)->same(defaulted)) << line["id"].text();
    EXPECT_TRUE(default_pod(defaulted).same(defaulted)) << line["id"].text();
    // A copy without stamps gives the same errors.
    const Value again = *document::read_json(document::write_json(defaulted));
    EXPECT_EQ(document::write_json(default_pod(*decode_pod(again))), document::write_json(defaulted));
    EXPECT_TRUE(semantically_equal(defaulted, *decode_pod(again)));
  }
}

TEST(Laws, EqualityIsSymmetric) {
  const auto lines = lines_of("default");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto a = decode_pod(lines[i - 1]["in"]), b = decode_pod(lines[i]["in"]);
    if (!a || !b) continue;
    EXPECT_TRUE(semantically_equal(*a, *a));
    EXPECT_EQ(semantically_equal(*a, *b), semantically_equal(*b, *a));
  }
}

}  // namespace
}  // namespace fixpoint::apiserver
