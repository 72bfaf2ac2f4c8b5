#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/case.h"
#include "harness/document/json.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

constexpr const char* kScaledCase =
    R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"operation":"UPDATE",
  "subResource":"scale","object":{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"w"},
  "spec":{"replicas":3}},"oldObject":{"apiVersion":"example.io/v1","kind":"Widget",
  "metadata":{"name":"w","namespace":"default"},"spec":{"size":2}}},
  "cluster":{"objects":[{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"widgets.example.io"},"spec":{"group":"example.io","scope":"Namespaced",
  "names":{"kind":"Widget","plural":"widgets"},"versions":[{"name":"v1","served":true,"storage":true,
  "subresources":{"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
  "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}},
  {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
  "metadata":{"name":"c"},"webhooks":[{"name":"w.example.io","sideEffects":"None",
  "admissionReviewVersions":["v1"],"rules":[{"apiGroups":["example.io"],"apiVersions":["*"],
  "operations":["*"],"resources":["widgets/*"]}]}]}]},
  "webhooks":{"c/w.example.io":{"script":[]}}})";

cases::Case scaled_case() { return *cases::read_case(*document::read_json(kScaledCase)); }

Admission scaled(const cases::Case& value, const webhooks::Handler& handler) {
  return *admit(value, {{"c/w.example.io", handler}}, {}, {});
}

TEST(Scale, IsGivenToWebhooksInPlaceOfTheObject) {
  Value object, old_object;
  std::string review;
  const auto seen = scaled(scaled_case(), [&](const webhooks::Call& call) {
    object = call.object;
    old_object = call.old_object;
    review = webhooks::write_review(call, "u");
    return webhooks::allow();
  });
  EXPECT_EQ(seen.calls.size(), 1U);
  EXPECT_EQ(object["kind"].text(), "Scale");
  EXPECT_EQ(old_object["kind"].text(), "Scale");
  EXPECT_EQ(old_object["spec"]["replicas"].integer(), -2147483648) << "the object has no replicas";
  EXPECT_NE(review.find(R"("kind":{"group":"autoscaling","version":"v1","kind":"Scale"})"), std::string::npos)
      << review;
  EXPECT_NE(review.find(R"("resource":{"group":"example.io","version":"v1","resource":"widgets"})"),
            std::string::npos)
      << review;
}

/// The number that a client or a webhook asks for is the one that is stored and shown, unless it is negative.
RC_GTEST_PROP(Scale, StoresTheReplicasThatAreAskedFor, ()) {
  const int sent = *rc::gen::inRange(-3, 9), patched = *rc::gen::inRange(-3, 9);
  const bool is_patched = *rc::gen::arbitrary<bool>();
  cases::Case value = scaled_case();
  value.request.object.edit("spec").set("replicas", sent);
  const auto answered = scaled(value, [&](const webhooks::Call& call) {
    Value scale = call.object;
    if (is_patched) scale.edit("spec").set("replicas", patched);
    return webhooks::allow_change(call.object, scale);
  });
  const int wanted = is_patched ? patched : sent;
  if (wanted < 0) {
    RC_ASSERT(answered.invalid.size() == 1U);
    RC_ASSERT(answered.invalid.front().field == ".spec.replicas");
  } else {
    RC_ASSERT(answered.allowed && answered.invalid.empty());
    RC_ASSERT(answered.stored["spec"]["replicas"].integer().value_or(0) == wanted);
  }
}

TEST(Scale, OfACaseIsReadAsItIsWritten) {
  const std::string text = cases::canonical_text(scaled_case());
  const auto again = cases::read_case(*document::read_json(text));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(cases::canonical_text(*again), text);
  EXPECT_EQ(again->request.stored()["kind"].text(), "Widget");
}

TEST(Scale, NeedsAScaleAndAKindThatHasOne) {
  Value wrong = *document::read_json(kScaledCase);
  wrong.edit("request").edit("object").set("kind", "Widget");
  const auto read = cases::read_case(wrong);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().text().find("expected a Scale of autoscaling/v1"), std::string::npos);
  cases::Case value = scaled_case();
  value.cluster.objects.front().edit("spec").edit("versions").edit(0).remove("subresources");
  const auto admitted =
      admit(value, {{"c/w.example.io", [](const auto&) { return webhooks::allow(); }}}, {}, {});
  ASSERT_FALSE(admitted);
  EXPECT_NE(admitted.error().text().find("expected a kind with the subresource scale"), std::string::npos);
}

}  // namespace
}  // namespace fixpoint::apiserver
