#include "harness/apiserver/policies/policy_plugin.h"

#include <gtest/gtest.h>

#include "harness/apiserver/admission/admission.h"
#include "harness/document/yaml.h"

namespace fixpoint::apiserver::policies {
namespace {

/// A cluster of policies in YAML, each with a binding of its name.
class Chain {
 public:
  Chain& policy(const std::string& name, const std::string& spec) {
    objects_.push_back({"MutatingAdmissionPolicy", name, spec});
    return *this;
  }
  Chain& webhook(const std::string& name, const std::string& reinvocation, const std::string& script) {
    webhooks_ +=
        "  - {apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: "
        "{name: " +
        name +
        "}, webhooks: [{name: a.b.c, sideEffects: None, admissionReviewVersions: [v1], reinvocationPolicy: " +
        reinvocation +
        ", rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}]}\n";
    backends_ += "  " + name + "/a.b.c: {script: " + script + "}\n";
    return *this;
  }
  std::string version = "1.36", gates = "[]", api = "v1";

  Admission admitted() const {
    std::string text =
        "apiVersion: fixpoint/v1\nkind: Case\nrequest: {managedFields: false, object: {metadata: {name: p}, "
        "spec: {containers: [{name: a, image: x}]}}}\nwebhooks:\n" +
        (backends_.empty() ? "  {}\n" : backends_) + "cluster:\n  version: '" + version +
        "'\n  featureGates: " + gates + "\n  admissionPlugins: []\n  objects:\n" + webhooks_;
    for (const Object& one : objects_) {
      text += "  - {apiVersion: admissionregistration.k8s.io/" + api + ", kind: " + one.kind +
              ", metadata: {name: " + one.name +
              "}, spec: {matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: "
              "[CREATE], resources: [pods]}]}, " +
              one.spec + "}}\n  - {apiVersion: admissionregistration.k8s.io/" + api +
              ", kind: MutatingAdmissionPolicyBinding, "
              "metadata: {name: " +
              one.name + "}, spec: {policyName: " + one.name + "}}\n";
    }
    const auto value = cases::read_case(document::read_yaml(text).value());
    EXPECT_TRUE(value) << value.error().text() << text;
    const auto admission = admit(*value, webhooks::handlers(*value, {}).value());
    EXPECT_TRUE(admission) << admission.error().text();
    return *admission;
  }

 private:
  struct Object {
    std::string kind, name, spec;
  };
  std::vector<Object> objects_ = {};
  std::string webhooks_ = {}, backends_ = {};
};

/// The pass and the policy or webhook of each call, with a star if it changed the object: `1:p* 1:c`.
std::string calls_of(const Admission& admission) {
  std::string text;
  for (const CallEvent& event : admission.calls) {
    const auto& one = admission.webhooks[static_cast<std::size_t>(event.index)];
    text.append(text.empty() ? "" : " ")
        .append(std::to_string(event.pass))
        .append(":")
        .append(one.configuration);
    if (event.result.changed) text += "*";
  }
  return text;
}

std::string label(const std::string& reinvocation, const std::string& expression) {
  return "reinvocationPolicy: " + reinvocation +
         ", mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{metadata: "
         "Object.metadata{labels: " +
         expression + "}}\"}}]";
}

constexpr const char* kNothing = "[]";
constexpr const char* kSetsA = "[{patch: [{op: add, path: /metadata/annotations, value: {a: '1'}}]}]";

/// Specification §5.6, V27 and V28.
TEST(PolicyPlugin, RunsAnIfNeededPolicyAgainWheneverItRan) {
  const auto v27 =
      Chain().policy("p", label("IfNeeded", "{'p': '1'}")).webhook("c", "IfNeeded", kNothing).admitted();
  EXPECT_EQ(calls_of(v27), "1:p* 1:c 2:p");
  EXPECT_EQ(v27.passes, 2);
  const auto v28 =
      Chain().policy("p", label("Never", "{'p': '1'}")).webhook("c", "IfNeeded", kSetsA).admitted();
  EXPECT_EQ(calls_of(v28), "1:p* 1:c*");
  EXPECT_EQ(v28.passes, 2);
}

/// An append without a guard doubles without any neighbour.
TEST(PolicyPlugin, DoublesWhatHasNoGuard) {
  const auto admission =
      Chain()
          .policy("p",
                  "reinvocationPolicy: IfNeeded, mutations: [{patchType: JSONPatch, jsonPatch: {expression: "
                  "\"[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: "
                  "'s', image: 's'}}]\"}}]")
          .admitted();
  EXPECT_EQ(calls_of(admission), "1:p* 2:p*");
  EXPECT_EQ(admission.object["spec"]["containers"].size(), 3U);
  ASSERT_FALSE(admission.allowed);
  EXPECT_EQ(admission.status->code, 422);
}

/// The webhook is called again only for what the policies change in the second pass.
TEST(PolicyPlugin, MakesWebhooksBeCalledAgain) {
  const std::string counts =
      label("IfNeeded", "{'n': 'x' + string(object.metadata.?labels[?'n'].orValue('').size())}");
  EXPECT_EQ(calls_of(Chain().policy("p", counts).webhook("c", "IfNeeded", kNothing).admitted()),
            "1:p* 1:c 2:p* 2:c");
}

TEST(PolicyPlugin, CountsAFailureByTheFailurePolicy) {
  const std::string missing =
      "reinvocationPolicy: Never, mutations: [{patchType: ApplyConfiguration, applyConfiguration: "
      "{expression: "
      "\"Object{metadata: Object.metadata{labels: {'a': object.spec.nodeSelector['b']}}}\"}}]";
  const auto failed = Chain().policy("p", missing).admitted();
  ASSERT_FALSE(failed.allowed);
  EXPECT_EQ(failed.status->code, 403);
  EXPECT_EQ(failed.status->reason, "Invalid");
  EXPECT_EQ(failed.status->message,
            "policy 'p' with binding 'p' denied request: expression 'Object{metadata: "
            "Object.metadata{labels: {'a': "
            "object.spec.nodeSelector['b']}}}' resulted in error: no such key: nodeSelector");
  EXPECT_EQ(failed.status->causes.size(), 1U);
  const auto ignored = Chain().policy("p", "failurePolicy: Ignore, " + missing).admitted();
  EXPECT_TRUE(ignored.allowed);
  EXPECT_EQ(ignored.passes, 1) << "nothing was mutated";
}

/// Recorded from 1.36.3.
TEST(PolicyPlugin, TakesAQuantityForTheKeyOfAMapInPatchesAlone) {
  const auto admitted = [](const std::string& mutation) {
    return Chain().policy("p", "mutations: [" + mutation + "]").admitted();
  };
  const Admission applied = admitted(
      "{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{metadata: "
      "Object.metadata{labels: {quantity('1'): 'x'}}}\"}}");
  ASSERT_TRUE(applied.status);
  EXPECT_EQ(
      applied.status->message,
      "policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object "
      "to typed object: .metadata: expected map, got &{fail to convert field \"labels\": map key \"1\" "
      "is of type cel.Quantity, not string}");
  const Admission patched = admitted(
      "{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/metadata/labels', "
      "value: {quantity('1'): 'x'}}]\"}}");
  EXPECT_TRUE(patched.allowed);
  EXPECT_EQ(patched.object["metadata"]["labels"]["1"].text(), "x");
}

TEST(PolicyPlugin, LeavesTheObjectAloneWhereATestFails) {
  const auto admission =
      Chain()
          .policy("p",
                  "reinvocationPolicy: Never, mutations: [{patchType: JSONPatch, jsonPatch: {expression: "
                  "\"[JSONPatch{op: 'test', path: '/metadata/name', value: 'other'}, JSONPatch{op: 'remove', "
                  "path: '/spec'}]\"}}]")
          .admitted();
  EXPECT_TRUE(admission.allowed);
  EXPECT_EQ(calls_of(admission), "1:p");
  EXPECT_EQ(admission.passes, 2) << "it was evaluated";
}

TEST(PolicyPlugin, IsOffBeforeItsReleaseWithoutTheGate) {
  Chain chain;
  chain.policy("p", label("Never", "{'p': '1'}"));
  chain.version = "1.35";
  chain.api = "v1beta1";
  EXPECT_EQ(calls_of(chain.admitted()), "");
  chain.gates = "[MutatingAdmissionPolicy]";
  EXPECT_EQ(calls_of(chain.admitted()), "1:p*");
}

}  // namespace
}  // namespace fixpoint::apiserver::policies
