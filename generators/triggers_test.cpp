#include <gtest/gtest.h>

#include <set>
#include <string>

#include "generators/draw.h"
#include "harness/document/yaml.h"
#include "harness/runner/examine.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {
namespace {

using runner::Trigger;
using Where = Trigger::Where;

Value node(const char* text) { return document::read_yaml(text).value(); }

/// Returns a subject with that webhook, which adds an annotation to every Pod that it is called for.
Subject subject_of(const char* webhook) {
  Subject subject{.name = "stranger"};
  Value entry = node(webhook);
  entry.set("name", "inject.example.io");
  entry.set("rules", node("[{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]"));
  entry.set("clientConfig", node("{service: {namespace: a, name: b}}"));
  entry.set("sideEffects", "None");
  entry.set("admissionReviewVersions", Value::list({"v1"}));
  subject.configuration = {{"apiVersion", "admissionregistration.k8s.io/v1"},
                           {"kind", "MutatingWebhookConfiguration"},
                           {"metadata", {{"name", "stranger"}}},
                           {"webhooks", Value::list({entry})}};
  subject.webhooks["stranger/inject.example.io"] =
      cases::read_script(node("[{patch: [{op: add, path: /spec/schedulerName, value: mine}]}]")).value();
  runner::learn_from_configuration(subject.vocabulary, subject.configuration);
  runner::complete(subject.vocabulary);
  return subject;
}

constexpr int kDraws = 400;

struct Counts {
  int called = 0, refused = 0;
  std::vector<std::vector<int>> options = {};  ///< for each trigger, how often each option was drawn
};

Counts counts_of(const Subject& subject) {
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false, .has_updates = false});
  const std::vector<Trigger> triggers = runner::triggers_of(subject.vocabulary);
  Counts counts;
  for (const Trigger& trigger : triggers) counts.options.emplace_back(trigger.values.size() + 2);
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    Choices choices(7, i);
    const Case value = draw(choices, draw_context);
    for (std::size_t t = 0; t < triggers.size(); ++t) ++counts.options[t][option_of(triggers[t], value)];
    const auto prepared = runner::prepare(value, {}, {});
    EXPECT_TRUE(prepared.ok());
    for (const auto& event : prepared->admission.calls) {
      if (prepared->admission.webhooks[static_cast<std::size_t>(event.index)].key ==
              "stranger/inject.example.io" &&
          event.number == 1)
        ++counts.called;
    }
    const auto& status = prepared->admission.status;
    if (status && status->message.find("serviceaccount") != std::string::npos) ++counts.refused;
  }
  return counts;
}

struct Row {
  const char* webhook;
  std::size_t triggers;
};

/// A webhook that is called for only some Pods is called for most of the drawn ones, and each of its triggers
/// is sometimes absent.
TEST(Triggers, AreDrawnMostOfTheTime) {
  const Row rows[] = {
      {R"-({matchConditions: [{name: x, expression: "object.spec.serviceAccountName == 's3-reader'"}]})-", 1},
      {R"-({matchConditions: [{name: x, expression: "object.spec.hostNetwork == true"}]})-", 1},
      {R"-({matchConditions: [{name: x, expression: "object.spec.containers.exists(c, c.name == 'p')"}]})-",
       1},
      {R"-({matchConditions: [{name: x, expression: "request.namespace == 'team-a'"}]})-", 1},
      {"{namespaceSelector: {matchLabels: {injection: enabled}}}", 1},
      {"{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: "
       "[ml]}]}}",
       1},
      {"{objectSelector: {matchLabels: {inject: 'yes'}}, namespaceSelector: {matchLabels: {mesh: 'on'}}}", 2},
      {"{objectSelector: {matchExpressions: [{key: skip, operator: DoesNotExist}]}}", 1},
      {"{namespaceSelector: {matchExpressions: [{key: skip, operator: NotIn, values: ['yes']}]}}", 1},
      {R"-({matchConditions: [{name: x, expression: "request.namespace != 'kube-system'"}]})-", 1},
  };
  for (const Row& row : rows) {
    const Counts counts = counts_of(subject_of(row.webhook));
    EXPECT_GT(counts.called, kDraws / 2) << row.webhook;
    EXPECT_LT(counts.called, kDraws) << row.webhook;
    EXPECT_EQ(counts.refused, 0) << row.webhook;
    ASSERT_EQ(counts.options.size(), row.triggers) << row.webhook;
    for (const auto& options : counts.options) {
      EXPECT_GT(options[1], 0) << row.webhook;
      EXPECT_GT(options.front() + options.back(), 0) << row.webhook;
    }
  }
}

/// The Namespace of the Case is in the cluster once, whatever else is drawn for it.
TEST(Triggers, MeetInOneNamespace) {
  Subject subject = subject_of("{namespaceSelector: {matchLabels: {mesh: 'on'}}}");
  subject.vocabulary.add_common(runner::Trigger::Where::namespace_annotation, {{"mode", {"strict"}}});
  subject.objects = {node("{apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {own: x}}}")};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  int whole = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    Choices choices(7, i);
    const Case value = draw(choices, draw_context);
    const auto spaces = value.cluster.of_kind("Namespace");
    if (value.request.namespace_name != "default") continue;
    ASSERT_EQ(spaces.size(), 1u);
    const Value& metadata = (*spaces.front())["metadata"];
    EXPECT_EQ(metadata["labels"]["own"].text(), "x");
    whole += metadata["labels"]["mesh"].text() == "on" && metadata["annotations"]["mode"].text() == "strict"
                 ? 1
                 : 0;
  }
  EXPECT_GT(whole, kDraws / 4);
}

/// The label with the Namespace's name always has the name of its own Namespace, whatever was drawn before.
TEST(Triggers, NameEachNamespaceAfterItself) {
  const Subject subject = subject_of(
      "{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: "
      "[ml, web]}]}}");
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  std::set<std::string> named;
  for (std::uint64_t i = 0; i < 8 * kDraws; ++i) {
    Choices choices(7, i);
    const cases::Case drawn = draw(choices, draw_context);
    for (const Value* space : drawn.cluster.of_kind("Namespace")) {
      const Value& metadata = (*space)["metadata"];
      const std::string said(metadata["labels"][runner::kNameOfNamespace].text());
      if (said.empty()) continue;
      EXPECT_EQ(said, metadata["name"].text());
      named.insert(said);
    }
  }
  EXPECT_GT(named.size(), 1u);
}

}  // namespace
}  // namespace fixpoint::generators
