#include "harness/conformance/vectors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

using document::Value;

constexpr const char* kFolder = FIXPOINT_SOURCE "/corpus/conformance/kserve";

std::vector<Value> lines_of(const std::filesystem::path& path) {
  std::vector<Value> lines;
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  for (std::string line; std::getline(in, line);)
    lines.push_back(*document::read_json(line, {}, document::Strictness::foreign));
  return lines;
}

std::string reported(const Compared& compared) {
  std::string text;
  for (const std::string& difference : compared.differences) text += difference + "\n";
  return text;
}

/// Replays every recorded call of every release, and every admission by a running server.
TEST(Vectors, KServeAgreesInEveryLine) {
  std::size_t files = 0, count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".ndjson") continue;
    ++files;
    for (const Value& line : lines_of(entry.path())) {
      ++count;
      const Compared compared = check_line(line);
      EXPECT_EQ(compared.answer, Compared::Answer::agreed) << line["id"].text() << "\n" << reported(compared);
    }
  }
  EXPECT_EQ(files, 13u);
  EXPECT_GE(count, 1770u);
}

/// Kinds other than Pods: definitions, their objects, and workloads.
TEST(Vectors, OtherKindsAgreeInEveryLine) {
  const std::filesystem::path folder = FIXPOINT_SOURCE "/corpus/conformance/kubernetes";
  const std::pair<const char*, std::size_t> files[] = {
      {"definitions.ndjson", 170},   {"custom-resources.ndjson", 1811}, {"workloads.ndjson", 2000},
      {"older-servers.ndjson", 255}, {"small-kinds.ndjson", 220},       {"scales.ndjson", 90}};
  for (const auto& [file, least] : files) {
    const auto lines = lines_of(folder / file);
    EXPECT_GE(lines.size(), least) << file;
    for (const Value& line : lines) {
      const Compared compared = check_line(line);
      EXPECT_EQ(compared.answer, Compared::Answer::agreed) << line["id"].text() << "\n" << reported(compared);
    }
  }
}

/// A recorded answer that is changed in one place disagrees: the comparison covers all of it.
TEST(Vectors, AChangedRecordDisagrees) {
  const auto lines = lines_of(std::filesystem::path(kFolder) / "v0.14.1.ndjson");
  std::size_t refused = 0, crashed = 0, twice = 0;
  for (const Value& line : lines) {
    const Value& first = line["first"];
    Value changed = line;
    if (!first["panic"].is_null()) {
      changed.set("first", {{"allowed", true}, {"code", 200}, {"object", line["input"]["pod"]}});
      ++crashed;
    } else if (!first["allowed"].is_true()) {
      changed.edit("first").set("code", 418);
      ++refused;
    } else {
      changed.edit("first").edit("object").edit("spec").set("hostname", "planted");
      if (line["second"]["changed"].is_true()) {
        ++twice;
        Value quiet = line;
        quiet.edit("second").set("changed", false);
        EXPECT_EQ(check_line(quiet).answer, Compared::Answer::disagreed) << line["id"].text();
      }
    }
    EXPECT_EQ(check_line(changed).answer, Compared::Answer::disagreed) << line["id"].text();
    Value other = line;
    other.edit("first").set("message", "another text");
    EXPECT_EQ(check_line(other).answer, Compared::Answer::agreed) << line["id"].text();
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(crashed, 0u);
  EXPECT_GT(twice, 0u);
}

TEST(Vectors, AChangedAdmissionDisagrees) {
  const auto lines = lines_of(std::filesystem::path(kFolder) / "live.ndjson");
  for (const Value& line : lines) {
    for (const char* field : {"code", "calls", "invalid", "warnings"}) {
      Value changed = line;
      changed.set(field, Value::list({"planted"}));
      EXPECT_EQ(check_line(changed).answer, Compared::Answer::disagreed) << line["id"].text() << field;
    }
  }
}

TEST(Vectors, AnUnknownReleaseIsUnsupported) {
  const Value line{{"kind", "kserve"}, {"version", "v0.99.0"}, {"input", Value::empty_object()}};
  EXPECT_EQ(check_line(line).answer, Compared::Answer::unsupported);
  EXPECT_EQ(check_line({{"kind", "kserve-hpa"}}).answer, Compared::Answer::unsupported);
}

}  // namespace
}  // namespace fixpoint::conformance
