#include "harness/cases/finding.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::cases {
namespace {

constexpr const char* kFinding = R"({"apiVersion":"fixpoint/v1","kind":"Finding","property":"idempotent",
"severity":"error","webhook":"c/w.example.io","verdict":null,"evidence":{"path":"spec.x","value":1,
"message":"grows","because":"grows","calls":[{"pass":1,"webhook":"c/w.example.io","effect":["+ container a"],
"did":["+ container a"]}]},"case":{"apiVersion":"fixpoint/v1","kind":"Case",
"request":{"operation":"CREATE","namespace":"default",
"object":{"metadata":{"name":"a"},"spec":{"containers":[]}}}},
"found":{"seed":1,"cases":1,"shrinks":0},"cause":{"part":"","place":"spec.x","symptom":"lost",
"change":"replaces"},"fingerprint":"0123456789ab"})";

/// Accepted Cases and histories that stand say two things twice: they are read, and written once.
TEST(StoredFinding, ReadsWhatPoliciesAndHistoriesHold) {
  const auto finding = read_finding(document::read_json(kFinding).value());
  ASSERT_TRUE(finding) << finding.error().text();
  EXPECT_EQ(finding->evidence.reason, "grows");
  ASSERT_EQ(finding->evidence.calls.size(), 1U);
  EXPECT_EQ(finding->evidence.calls[0].effect, std::vector<std::string>{"+ container a"});
  const document::Value written = write_finding(*finding);
  EXPECT_EQ(written["evidence"].find("because"), nullptr);
  EXPECT_EQ(written["evidence"]["calls"].at(0).find("did"), nullptr);
  EXPECT_EQ(written["cause"]["change"].text(), "replaces");
  EXPECT_EQ(write_finding(read_finding(written).value()), written);
}

}  // namespace
}  // namespace fixpoint::cases
