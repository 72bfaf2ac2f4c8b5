#include "harness/properties/acted.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"

namespace fixpoint::properties {
namespace {

document::Value pod_in(const char* text) { return document::read_json(text).value(); }

bool acts(const char* before, const char* after) {
  apiserver::CallResult result;
  result.applied = true;
  result.after = pod_in(after);
  return has_acted(pod_in(before), result);
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
  apiserver::CallResult result;
  result.error = apiserver::CallError::denied;
  result.answer.status.code = 403;
  EXPECT_TRUE(has_acted(pod_in(kPlain), result));
  result.answer.status.code = 500;
  EXPECT_FALSE(has_acted(pod_in(kPlain), result)) << "it broke down";
}

TEST(Acted, IsNotWhatANeighbourDid) {
  cases::Case value;
  apiserver::Admission admission;
  admission.webhooks.emplace_back();
  admission.webhooks[0].configuration = "a";
  admission.webhooks[0].key = "a/x";
  auto& event = admission.calls.emplace_back();
  event.before = pod_in(kPlain);
  event.result.applied = true;
  event.result.after = pod_in(R"({"metadata":{"name":"b"}})");
  EXPECT_TRUE(has_acted(value, admission));
  admission.webhooks[0].is_subject = false;
  EXPECT_FALSE(has_acted(value, admission));
}

}  // namespace
}  // namespace fixpoint::properties
