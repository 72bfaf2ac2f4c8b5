#include "harness/compare/chain_advice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/document/document_stream.h"
#include "harness/runner/examine.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::compare {
namespace {

using Advised = WebhookAdvice::Policy;

Advice advice_on(const std::vector<std::string>& names) {
  Chain chain;
  for (const std::string& name : names) chain.members.push_back(injectors::find_subject(name).value());
  return advise_on(chain, {.seed = 1, .cases = 60, .resolve = injectors::bundled().resolve});
}

apiserver::Admission run(const cases::Case& value) {
  return runner::prepare(value, injectors::bundled().resolve, {}).value().admission;
}

/// The webhook mounts its volume in every container, so it needs IfNeeded for a container that is added
/// later.
TEST(Advice, WhoTreatsWhatComesLateNeedsIfNeeded) {
  const Advice advice = advice_on({"defects/mount-without-guard@fixed", "peers/sidecar-guarded"});
  EXPECT_TRUE(advice.is_sound());
  const WebhookAdvice& one = advice.webhooks.front();
  EXPECT_EQ(one.policy, Advised::needed);
  EXPECT_EQ(one.missed, "spec.containers[proxy].volumeMounts[/var/agent].mountPath is missing");
  EXPECT_EQ(advice.webhooks.back().policy, Advised::safe);
  EXPECT_GT(advice.webhooks.back().called_again, 0u);
  // In this Case the proxy, which was added later, lacks the mount.
  ASSERT_TRUE(one.needed_case);
  const auto admission = run(*one.needed_case);
  for (const auto& container : admission.object["spec"]["containers"].elements()) {
    const bool is_proxy = container["name"].text() == "proxy";
    const auto mounts = container["volumeMounts"].elements();
    EXPECT_NE(is_proxy, std::any_of(mounts.begin(), mounts.end(), [](const document::Value& mount) {
                return mount["mountPath"].text() == "/var/agent";
              }));
  }
}

TEST(Advice, WhoIsRightOnlyOnceNeedsNever) {
  const Advice advice = advice_on({"defects/env-without-guard@buggy", "peers/sidecar-guarded"});
  EXPECT_FALSE(advice.is_sound());
  const WebhookAdvice& one = advice.webhooks.front();
  EXPECT_TRUE(one.policy == Advised::harmful || one.policy == Advised::both);
  EXPECT_TRUE(one.harm.find("duplicate ") != std::string::npos) << one.harm;
  ASSERT_TRUE(one.harmful_case);
  EXPECT_EQ(run(*one.harmful_case).passes, 2);
}

TEST(Advice, WhoIsNeverCalledAgainMayAskForAnything) {
  const Advice advice = advice_on({"peers/sidecar-guarded"});
  EXPECT_TRUE(advice.is_sound());
  EXPECT_EQ(advice.webhooks.front().policy, Advised::safe);
  EXPECT_TRUE(advice.has_evidence());
  EXPECT_EQ(advice.orders.size(), 1u);
}

TEST(Advice, OnAWebhookThatChangesNothingThereIsNoEvidence) {
  Chain chain{.members = {injectors::find_subject("peers/sidecar-guarded").value()}};
  document::Value& webhook = chain.members.front().configuration.edit("webhooks").edit(0);
  webhook.set("objectSelector", {{"matchLabels", {{"nobody.example.io/has", "this"}}}});
  const Advice advice = advise_on(chain, {.seed = 1, .cases = 60, .resolve = injectors::bundled().resolve});
  EXPECT_EQ(advice.webhooks.front().policy, Advised::unknown);
  EXPECT_FALSE(advice.has_evidence());
}

/// Both parts insist on the first place even without other webhooks, and no order repairs that.
TEST(Advice, ADefectOfOneMemberIsDistinguishedFromTheOrders) {
  const Advice advice = advice_on({"defects/two-insist-on-first@buggy", "peers/sidecar-guarded"});
  EXPECT_FALSE(advice.is_sound());
  ASSERT_EQ(advice.defects.size(), 1u);
  EXPECT_EQ(advice.defects[0].configuration, "defect-two-insist-on-first");
  EXPECT_EQ(advice.defects[0].property, "converges");
  ASSERT_TRUE(advice.defects[0].shown_by);
  EXPECT_EQ(advice.defects[0].shown_by->webhooks.size(), 2u) << "those of its configuration alone";
  ASSERT_EQ(advice.orders.size(), 2u);
  for (const OrderAdvice& order : advice.orders) EXPECT_EQ(order.problem, "");
  const Advice fixed = advice_on({"defects/two-insist-on-first@fixed", "peers/sidecar-guarded"});
  EXPECT_TRUE(fixed.defects.empty());
  for (const OrderAdvice& order : fixed.orders) EXPECT_EQ(order.problem, "");
}

/// The webhook mounts its volume in every container but has the policy Never: a sidecar added after it gets
/// no mount.
TEST(Advice, AnOrderThatLosesSomethingFails) {
  Chain chain;
  for (const char* name : {"defects/mount-without-guard@fixed", "peers/sidecar-guarded"})
    chain.members.push_back(injectors::find_subject(name).value());
  document::Value& webhooks = chain.members.front().configuration.edit("webhooks");
  for (std::size_t i = 0; i < webhooks.size(); ++i) webhooks.edit(i).set("reinvocationPolicy", "Never");
  const Advice advice = advise_on(chain, {.seed = 1, .cases = 60, .resolve = injectors::bundled().resolve});
  EXPECT_TRUE(advice.defects.empty());
  ASSERT_EQ(advice.orders.size(), 2u);
  EXPECT_EQ(advice.orders[0].order.front(), "defect-mount-without-guard");
  EXPECT_EQ(
      advice.orders[0].problem,
      "spec.containers[proxy].volumeMounts[/var/agent].mountPath is missing, which another order gives");
  ASSERT_TRUE(advice.orders[0].shown_by);
  EXPECT_EQ(advice.orders[1].problem, "");
}

/// A policy with a binding, which adds labels to each Pod.
runner::Subject labelling(const std::string& name, const std::string& label) {
  runner::Subject subject{.name = name};
  subject.configuration =
      document::read_stream(
          "apiVersion: admissionregistration.k8s.io/v1\n"
          "kind: MutatingAdmissionPolicy\nmetadata: {name: " +
          name +
          "}\nspec: {failurePolicy: Fail, "
          "reinvocationPolicy: Never, matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: "
          "[v1], "
          "operations: [CREATE], resources: [pods]}]}, mutations: [{patchType: ApplyConfiguration, "
          "applyConfiguration: {expression: \"Object{metadata: Object.metadata{labels: " +
          label + "}}\"}}]}")
          .value()
          .front();
  subject.objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                             {"kind", "MutatingAdmissionPolicyBinding"},
                             {"metadata", {{"name", name}}},
                             {"spec", {{"policyName", name}}}});
  return subject;
}

/// The server promises no order of policies: each order of them may happen.
TEST(Advice, OnPoliciesAsksForEveryOrder) {
  const auto advised = [&](const std::string& second) {
    Chain chain{.members = {labelling("a", "{'a': 'x'}"), labelling("b", second)}};
    return advise_on(chain, {.seed = 1, .cases = 40, .resolve = injectors::bundled().resolve});
  };
  const Advice alike = advised("{'b': 'y'}");
  EXPECT_TRUE(alike.is_sound());
  EXPECT_TRUE(alike.has_evidence());
  ASSERT_EQ(alike.webhooks.size(), 2U);
  EXPECT_EQ(alike.webhooks[0].webhook, "a/a");
  ASSERT_EQ(alike.orders.size(), 2U);
  EXPECT_TRUE(alike.orders[1].may_happen);
}

/// Each labels a Pod that the other one has not labelled: the first one wins, and any may be the first.
TEST(Advice, OnPoliciesTellsAResultThatDependsOnTheirOrder) {
  const auto label_unless = [](const std::string& label, const std::string& other) {
    return "has(object.metadata.labels) && '" + other + "' in object.metadata.labels ? {} : {'" + label +
           "': 'x'}";
  };
  Chain chain{.members = {labelling("a", label_unless("a", "b")), labelling("b", label_unless("b", "a"))}};
  const Advice advice = advise_on(chain, {.seed = 1, .cases = 40, .resolve = injectors::bundled().resolve});
  EXPECT_FALSE(advice.is_sound());
  ASSERT_EQ(advice.orders.size(), 2U);
  EXPECT_EQ(advice.orders[0].problem, "");
  EXPECT_EQ(advice.orders[1].property, "order-independent");
  EXPECT_EQ(advice.orders[1].problem, "metadata.labels.a is another than in the first order");
  ASSERT_TRUE(advice.orders[1].shown_by);
  EXPECT_EQ(run(*advice.orders[1].shown_by).object["metadata"]["labels"]["b"].text(), "x");
}

/// Policies run before webhooks, wherever they stand in the command.
TEST(Advice, PutsPoliciesBeforeWebhooks) {
  Chain chain;
  for (const char* name : {"peers/sidecar-guarded", "defects/policy-map-absent@fixed"})
    chain.members.push_back(injectors::find_subject(name).value());
  const Advice advice = advise_on(chain, {.seed = 1, .cases = 40, .resolve = injectors::bundled().resolve});
  ASSERT_EQ(advice.orders.size(), 1U);
  EXPECT_EQ(advice.orders[0].order.back(), "proxy-injector");
}

/// A webhook configuration with one webhook that a script answers.
runner::Subject scripted(const std::string& name, const char* script) {
  runner::Subject subject{.name = name};
  subject.configuration = {
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", "MutatingWebhookConfiguration"},
      {"metadata", {{"name", name}}},
      {"webhooks", document::Value::list(
                       {document::Value{{"name", name + ".example.io"},
                                        {"admissionReviewVersions", document::Value::list({"v1"})},
                                        {"sideEffects", "None"},
                                        {"rules", document::Value::list({document::Value{
                                                      {"apiGroups", document::Value::list({""})},
                                                      {"apiVersions", document::Value::list({"v1"})},
                                                      {"operations", document::Value::list({"CREATE"})},
                                                      {"resources", document::Value::list({"pods"})}}})}}})}};
  subject.webhooks.emplace(name + "/" + name + ".example.io",
                           cases::read_script(document::read_stream(script).value().front()).value());
  return subject;
}

constexpr const char* kRefusesItsOwn =
    R"([{when: {exists: /metadata/annotations/info}, deny: {code: 403, message: refused}},
  {when: {absent: /metadata/annotations}, patch: [{op: add, path: /metadata/annotations, value: {}}]},
  {patch: [{op: add, path: /metadata/annotations/info, value: x}]}])";
/// Adds a variable without a look at what is there, once.
constexpr const char* kAddsOnce =
    R"([{when: {all: [{absent: /metadata/labels/zone}, {exists: /spec/containers/0/env}]},
   patch: [{op: add, path: /spec/containers/0/env/-, value: {name: TZ, value: UTC}}]},
  {when: {all: [{absent: /metadata/labels/zone}, {absent: /spec/containers/0/env}]},
   patch: [{op: add, path: /spec/containers/0/env, value: [{name: TZ, value: UTC}]}]},
  {when: {absent: /metadata/labels}, patch: [{op: add, path: /metadata/labels, value: {}}]},
  {patch: [{op: add, path: /metadata/labels/zone, value: "yes"}]}])";

/// Called again a refuses each Pod; that b adds a variable of the user's once more is b's own defect.
TEST(Advice, TakesNoRefusalForARepair) {
  cases::Case example;
  example.request.object = document::read_stream(
                               "metadata: {name: web, namespace: default}\nspec: {containers: "
                               "[{name: app, image: x, env: [{name: TZ, value: A}]}]}")
                               .value()
                               .front();
  for (const char* first : {"a", "c"}) {
    Chain chain{.members = {scripted(first, kRefusesItsOwn), scripted("b", kAddsOnce)}};
    for (runner::Subject& member : chain.members) member.examples = {example};
    const Advice advice = advise_on(chain, {.seed = 1, .cases = 60, .resolve = injectors::bundled().resolve});
    EXPECT_NE(advice.webhooks[0].policy, Advised::needed) << advice.webhooks[0].missed;
    EXPECT_NE(advice.webhooks[1].policy, Advised::needed) << advice.webhooks[1].missed;
    ASSERT_EQ(advice.defects.size(), 1U);
    EXPECT_EQ(advice.defects[0].configuration, "b");
    EXPECT_GT(advice.order_cases, 0U) << "the example has what the chain adds, and counts";
    if (std::string_view(first) == "c") continue;  // nobody changes the Pod after it
    EXPECT_EQ(advice.webhooks[0].policy, Advised::harmful);
    EXPECT_EQ(advice.webhooks[0].harm, "a second call refuses the Pod: refused");
  }
}

TEST(Advice, IsAFunctionOfItsArguments) {
  const std::vector<std::string> chain{"defects/mount-without-guard@fixed", "peers/sidecar-guarded"};
  EXPECT_EQ(cases::canonical_text(*advice_on(chain).webhooks.front().needed_case),
            cases::canonical_text(*advice_on(chain).webhooks.front().needed_case));
}

}  // namespace
}  // namespace fixpoint::compare
