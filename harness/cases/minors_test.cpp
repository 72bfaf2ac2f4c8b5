#include "harness/cases/minors.h"

#include <gtest/gtest.h>

#include "harness/cases/case.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/oracle/oracle_request.h"

namespace fixpoint::cases {
namespace {

std::string text_of(const char* file) {
  return document::read_text_file(std::string(FIXPOINT_SOURCE "/") + file).value();
}

TEST(Minors, VersionsAndMinorsAreOneList) {
  EXPECT_EQ(versions().back(), kNewestVersion);
  EXPECT_EQ(versions().size(), static_cast<std::size_t>(kNewestMinor - kOldestMinor + 1));
  for (int minor = kOldestMinor; minor <= kNewestMinor; ++minor)
    EXPECT_EQ(supported_minor(version_of(minor)), minor);
  for (const char* other : {"", "1.", "1.28", "2.30", "1.360", "1.030", "v1.30"})
    EXPECT_FALSE(supported_minor(other)) << other;
}

TEST(Minors, TheSchemaOfACaseListsThem) {
  const auto schema = document::read_json(text_of("reports/schemas/case.json")).value();
  std::vector<std::string> listed;
  const auto& cluster = schema["properties"]["cluster"].is_null() ? schema["$defs"]["cluster"]
                                                                  : schema["properties"]["cluster"];
  for (const auto& version : cluster["properties"]["version"]["enum"].elements())
    listed.emplace_back(version.text());
  EXPECT_EQ(listed, versions());
}

TEST(Minors, RecordedLinesAreOfTheRecordersModule) {
  for (const char* module : {"recorder", "apiserver"}) {
    const std::string text = text_of((std::string("corpus/conformance/") + module + "/go.mod").c_str());
    EXPECT_NE(text.find("k8s.io/kubernetes v" + version_of(kRecordedMinor) + "."), std::string::npos)
        << module;
  }
}

TEST(Minors, TheReferenceModelHasTheSameNewestOne) { EXPECT_EQ(oracle::kNewestMinor, kNewestMinor); }

/// A server that does not serve the subresource answers 404: such a Case is refused where it is read.
TEST(Minors, ServeResizeFromOneOn) {
  for (const std::string& version : versions()) {
    const auto read = read_case({{"apiVersion", kApiVersion},
                                 {"kind", "Case"},
                                 {"request",
                                  {{"operation", "UPDATE"},
                                   {"subResource", "resize"},
                                   {"object", Value::empty_object()},
                                   {"oldObject", Value::empty_object()}}},
                                 {"cluster", {{"version", version}}}});
    EXPECT_EQ(static_cast<bool>(read), *supported_minor(version) >= kResizeServedSince) << version;
    if (read) continue;
    EXPECT_EQ(
        read.error().text(),
        "/request/subResource: resize is served from Kubernetes 1.33 on, and the cluster is " + version);
  }
}

}  // namespace
}  // namespace fixpoint::cases
