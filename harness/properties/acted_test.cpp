#include "harness/properties/acted.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::properties {
namespace {

document::Value pod_in(const char* text) { return document::read_json(text).value(); }

bool acts(const char* before, const char* after) {
  apiserver::Hop hop;
  hop.applied = true;
  hop.after = pod_in(after);
  return has_acted(pod_in(before), hop);
}

constexpr const char* kPlain = R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"main"}]}})";

TEST(Acted, IsWhatChangesMoreThanAStatusKey) {
  EXPECT_FALSE(acts(kPlain, kPlain)) << "an empty patch";
  EXPECT_FALSE(acts(kPlain, R"({"metadata":{"name":"a","annotations":{"example.io/status":"skipped"}},
                                "spec":{"containers":[{"name":"main"}]}})"));
  EXPECT_TRUE(acts(kPlain, R"({"metadata":{"name":"a","annotations":{"example.io/team":"data"}},
                               "spec":{"containers":[{"name":"main"}]}})"));
  EXPECT_TRUE(acts(kPlain, R"({"metadata":{"name":"a","annotations":{"example.io/status":"injected"}},
                               "spec":{"containers":[{"name":"main"},{"name":"side"}]}})"));
  EXPECT_TRUE(acts(kPlain, R"({"metadata":{"name":"b"},"spec":{"containers":[{"name":"main"}]}})"));
}

TEST(Acted, IsARefusalOnPurpose) {
  apiserver::Hop hop;
  hop.error = apiserver::CallError::denied;
  hop.answer.status.code = 403;
  EXPECT_TRUE(has_acted(pod_in(kPlain), hop));
  hop.answer.status.code = 500;
  EXPECT_FALSE(has_acted(pod_in(kPlain), hop)) << "it broke down";
}

TEST(Acted, IsNotWhatANeighbourDid) {
  cases::Case value;
  apiserver::Admission admission;
  admission.webhooks.emplace_back();
  admission.webhooks[0].configuration = "a";
  admission.webhooks[0].key = "a/x";
  auto& event = admission.calls.emplace_back();
  event.before = pod_in(kPlain);
  event.hop.applied = true;
  event.hop.after = pod_in(R"({"metadata":{"name":"b"}})");
  EXPECT_TRUE(has_acted(value, admission));
  value.neighbours = {"a"};
  EXPECT_FALSE(has_acted(value, admission));
}

}  // namespace
}  // namespace fixpoint::properties
