#include <gtest/gtest.h>

#include "harness/document/yaml.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;
using KeyedValues = Vocabulary::KeyedValues;
using ListOfKeyedValues = std::vector<KeyedValues>;

Value yaml(const char* text) { return document::read_yaml(text).value(); }

TEST(LearnConfiguration, ReadsSelectors) {
  Vocabulary words;
  learn_from_configuration(words, yaml(R"(
webhooks:
  - objectSelector:
      matchLabels: {inject: enabled}
      matchExpressions: [{key: tier, operator: In, values: [web, db]}, {key: any, operator: Exists}]
    namespaceSelector:
      matchLabels: {mesh: "on"}
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [team-a, team-b]}]
)"));
  EXPECT_EQ(words.common(Where::label),
            (ListOfKeyedValues{{"inject", {"enabled"}}, {"tier", {"web", "db"}}, {"any", {}}}));
  EXPECT_EQ(words.common(Where::namespace_label), (ListOfKeyedValues{{"mesh", {"on"}}}));
  EXPECT_EQ(words.common(Where::field),
            (ListOfKeyedValues{{"metadata.namespace", {R"("team-a")", R"("team-b")"}}}));
  complete(words);
  EXPECT_EQ(words.common(Where::label).back(), (KeyedValues{"any", {"true", "false"}}));
}

/// Opt-outs are drawn rarely but not never: else no Case would show that the webhook skips such a Pod.
TEST(LearnConfiguration, KeepsOptOutsRare) {
  Vocabulary words;
  learn_from_configuration(words, yaml(R"(
webhooks:
  - objectSelector:
      matchExpressions:
        - {key: skip, operator: DoesNotExist}
        - {key: team, operator: NotIn, values: [platform]}
        - {key: tier, operator: In, values: [web]}
    namespaceSelector:
      matchExpressions:
        - {key: control-plane, operator: DoesNotExist}
        - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}
)"));
  complete(words);
  EXPECT_EQ(words.common(Where::label), (ListOfKeyedValues{{"tier", {"web"}}}));
  EXPECT_EQ(words.rare(Where::label),
            (ListOfKeyedValues{{"skip", {"true", "false"}}, {"team", {"platform"}}}));
  EXPECT_TRUE(words.common(Where::namespace_label).empty() && words.common(Where::field).empty());
  EXPECT_EQ(words.rare(Where::namespace_label), (ListOfKeyedValues{{"control-plane", {"true", "false"}}}));
  EXPECT_EQ(words.rare(Where::field), (ListOfKeyedValues{{"metadata.namespace", {R"("kube-system")"}}}));
}

struct Row {
  const char* expression;
  std::vector<Trigger> triggers;
};

Value configuration_of(const char* expression) {
  const Value condition{{"name", "it"}, {"expression", expression}};
  return {{"webhooks", Value::list({Value{{"matchConditions", Value::list({condition})}}})}};
}

std::vector<Trigger> learned(const char* expression) {
  Vocabulary words;
  learn_from_configuration(words, configuration_of(expression));
  complete(words);
  return triggers_of(words);
}

TEST(LearnConfiguration, ReadsMatchConditions) {
  const std::vector<std::string> truths{"true", "false"};
  const Row rows[] = {
      {"object.metadata.labels['team'] == 'red'", {{Where::label, "team", {"red"}}}},
      {"'red' == object.metadata.labels.team", {{Where::label, "team", {"red"}}}},
      {R"("a.io/x" in object.metadata.annotations && object.metadata.annotations["a.io/x"] != "no")",
       {{Where::annotation, "a.io/x", {"true", "false", "no"}}}},
      {"object.metadata.labels.team in ['red', 'blue']", {{Where::label, "team", {"red", "blue"}}}},
      {"!(object.metadata.labels.team in ['red'])", {{Where::label, "team", {"red"}, true}}},
      {"has(object.metadata.annotations.mode)", {{Where::annotation, "mode", truths}}},
      {"!has(object.metadata.labels) || !('skip' in object.metadata.labels)",
       {{Where::label, "skip", truths, true}}},
      {"object.metadata.annotations.exists(k, k.startsWith('agent.example.com/'))",
       {{Where::annotation, "agent.example.com/a", truths}}},
      {"object.metadata.?labels[?'team'].orValue('') == 'red'", {{Where::label, "team", {"red"}}}},
      {"object.spec.serviceAccountName == 's3-reader'",
       {trigger_of(Where::field, "spec.serviceAccountName", {R"("s3-reader")"})}},
      {"object.spec.serviceAccountName in ['a', 'b']",
       {trigger_of(Where::field, "spec.serviceAccountName", {R"("a")", R"("b")"})}},
      {"object.spec.serviceAccountName.startsWith('s3-')",
       {trigger_of(Where::field, "spec.serviceAccountName", {R"("s3-a")"})}},
      {"has(object.spec.hostNetwork) && object.spec.hostNetwork == true",
       {trigger_of(Where::field, "spec.hostNetwork", {"true"})}},
      {"object.spec.hostNetwork || object.spec.hostPID",
       {trigger_of(Where::field, "spec.hostNetwork", {"true"}),
        trigger_of(Where::field, "spec.hostPID", {"true"})}},
      {"!object.spec.hostNetwork", {trigger_of(Where::field, "spec.hostNetwork", {"true"}, true)}},
      {"has(object.spec.hostNetwork)", {trigger_of(Where::field, "spec.hostNetwork", truths)}},
      {"has(object.spec.securityContext)", {trigger_of(Where::field, "spec.securityContext", {"{}"})}},
      {"object.spec.priority > 5", {trigger_of(Where::field, "spec.priority", {"5", "4", "6"})}},
      {"size(object.spec.initContainers) > 0",
       {trigger_of(Where::field, "spec.initContainers", {R"([{"name":"init","image":"x:1"}])"})}},
      {"object.spec.nodeSelector['kubernetes.io/arch'] == 'arm64'",
       {trigger_of(Where::field, "spec.nodeSelector['kubernetes.io/arch']", {R"("arm64")"})}},
      {"object.spec.containers.exists(c, c.name == 'x')",
       {trigger_of(Where::field, "spec.containers[*].name", {R"("x")"})}},
      {"object.spec.containers.all(c, c.name != 'x')",
       {trigger_of(Where::field, "spec.containers[*].name", {R"("x")"}, true)}},
      {"request.namespace == 'team-a'", {trigger_of(Where::field, "metadata.namespace", {R"("team-a")"})}},
      {"request.namespace != 'kube-system'",
       {trigger_of(Where::field, "metadata.namespace", {R"("kube-system")"}, true)}},
      {"namespaceObject.metadata.labels['mesh'] == 'on'", {{Where::namespace_label, "mesh", {"on"}}}},
      {"namespaceObject.metadata.annotations['mesh'] == 'on'",
       {{Where::namespace_annotation, "mesh", {"on"}}}},
      {"request.operation == 'CREATE'", {}},
      {"!request.userInfo.groups.exists(g, g == 'system:nodes')",
       {{Where::user, kUserGroups, {"system:nodes"}, true}}},
      {"!('system:nodes' in request.userInfo.groups)", {{Where::user, kUserGroups, {"system:nodes"}, true}}},
      {"request.userInfo.username != 'system:admin'", {{Where::user, kUserName, {"system:admin"}, true}}},
      {"request.operation == 'CREATE' ? object.metadata.name.matches('^web') : true",
       {trigger_of(Where::field, "metadata.name", {R"("web")"})}},
      {"object.metadata.name.matches('^web-[0-9]+$')",
       {trigger_of(Where::field, "metadata.name", {R"("web-1")"})}},
      {"object.metadata.labels['unclosed", {}},
      {"", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(learned(row.expression), row.triggers) << row.expression;
}

TEST(LearnConfiguration, KnowsTheContainersThatAConditionNames) {
  Vocabulary words;
  learn_from_configuration(words, configuration_of("object.spec.containers.exists(c, c.name == 'main')"));
  EXPECT_EQ(words.names[NameKind::container], (Names::List{"main"}));
}

}  // namespace
}  // namespace fixpoint::runner
