#include <algorithm>
#include <array>

#include "generators/draw_context.h"
#include "generators/pod/draw_triggers.h"
#include "generators/pod/pod_builder.h"
#include "generators/put_trigger.h"
#include "harness/cases/minors.h"
#include "harness/cases/request_user.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/drawn_objects.h"

namespace fixpoint::generators {

namespace {

Value object(const char* api_version, const char* kind, const char* name, std::string_view namespace_name) {
  Value metadata{{"name", name}};
  if (!namespace_name.empty()) metadata.set("namespace", namespace_name);
  return {{"apiVersion", api_version}, {"kind", kind}, {"metadata", std::move(metadata)}};
}

void limit_range(Case& value, Choices& choices) {
  if (has_limit_range(value)) return;
  static const std::array<Value, 4> limits{
      Value{{"type", "Container"}, {"default", {{"cpu", "1"}, {"memory", "1Gi"}}}},
      Value{{"type", "Container"}, {"defaultRequest", {{"cpu", "100m"}}}, {"max", {{"memory", "64Gi"}}}},
      Value{{"type", "Container"}, {"max", {{"cpu", "64"}, {"memory", "64Gi"}}}, {"min", {{"cpu", "1m"}}}},
      Value{{"type", "Pod"}, {"max", {{"cpu", "512"}}}}};
  Value range = object("v1", "LimitRange", "limits", value.request.namespace_name);
  range.edit("metadata").edit("annotations").set(properties::kDrawnAnnotation, "yes");
  range.edit("spec").set("limits", Value::list({choices.pick(limits)}));
  value.cluster.objects.push_back(std::move(range));
}

void service_account(Case& value, Choices& choices) {
  Value account = object("v1", "ServiceAccount", "default", value.request.namespace_name);
  if (choices.coin())
    account.set("imagePullSecrets", Value::list({Value{{"name", "registry"}}}));
  else
    account.set("automountServiceAccountToken", choices.coin());
  value.cluster.objects.push_back(std::move(account));
}

void default_priority(Case& value, Choices& choices) {
  Value priority = object("scheduling.k8s.io/v1", "PriorityClass", "normal", "");
  priority.set("value", 100);
  priority.set("globalDefault", true);
  if (choices.coin()) priority.set("preemptionPolicy", "Never");
  value.cluster.objects.push_back(std::move(priority));
}

void labelled_namespace(Case& value, Choices& choices) {
  const std::array<Value, 4> labels{Value{{"istio-injection", "enabled"}},
                                    Value{{runner::kNameOfNamespace, value.request.namespace_name}},
                                    Value{{"control-plane", "yes"}}, Value{{"team", "data"}}};
  merge_into(metadata_of_namespace(value).edit("labels"), choices.pick(labels));
}

void fewer_plugins(Case& value, Choices& choices) {
  if (choices.coin()) return value.cluster.admission_plugins.clear();
  std::erase_if(value.cluster.admission_plugins, [&](const std::string&) { return choices.coin(); });
}

/// Servers before the newest do not know policies in the version that they have today.
void older_server(Case& value, Choices& choices) {
  if (value.cluster.has_kind(cases::kPolicy)) return;
  value.cluster.version = cases::version_of(choices.between(cases::kOldestMinor, cases::kNewestMinor - 1));
}

/// A user as the server's authenticators describe it: beside the groups of every such user those of the row,
/// and what its certificate or token says.
struct DrawnUser {
  const char* username;
  const char* uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
};

void a_user(Case& value, Choices& choices) {
  constexpr const char* kCredential = "authentication.kubernetes.io/credential-id";
  static const std::array<DrawnUser, 5> users{{
      {"alice", "", {}, {}},
      {"system:serviceaccount:kube-system:replicaset-controller",
       "5ad6bc32-98d0-45c5-b2ff-3d6ea9f7ae48",
       {},
       {{kCredential, {"JTI=2a86eb43-9a3e-4b6c-8b46-4f0a8a1d3c55"}}}},
      {"system:serviceaccount:ci:deployer",
       "c5a3b7c4-8c5e-4f6a-a0f1-0a4f6f0c9be1",
       {},
       {{kCredential, {"JTI=7d1f1f5a-52d3-4bb4-93c2-1f3d2f1a7a90"}},
        {"authentication.kubernetes.io/node-name", {"node-a"}},
        {"authentication.kubernetes.io/node-uid", {"0b1c8a5e-3a0c-4a57-9b4e-9a9f0c1e2d3f"}},
        {"authentication.kubernetes.io/pod-name", {"deployer-0"}},
        {"authentication.kubernetes.io/pod-uid", {"e1b2c3d4-0f1e-4d2c-8b3a-9f8e7d6c5b4a"}}}},
      {"jane@example.com", "", {"developers", "team-data"}, {{"scopes.example.com", {"openid", "pods"}}}},
      {"system:node:node-a", "", {}, {{kCredential, {"X509SHA256=9f2c1d"}}}},
  }};
  const DrawnUser& drawn = choices.pick(users);
  cases::UserInfo user = cases::user_named(drawn.username);
  user.uid = drawn.uid;
  user.groups.insert(user.groups.begin(), drawn.groups.begin(), drawn.groups.end());
  user.extra = drawn.extra;
  value.request.user_info = std::move(user);
}

/// An object or setting beside the request that is drawn with probability 1 / `one_in`.
struct OptionalPart {
  std::uint64_t one_in;
  void (*add)(Case& value, Choices& choices);
};
constexpr auto kOptionalParts = std::to_array<OptionalPart>({
    {5, limit_range},
    {8, service_account},
    {16, default_priority},
    {12, labelled_namespace},
    {5, fewer_plugins},
    {5, older_server},
    {12, a_user},
    {12, [](Case& value, Choices&) { value.request.dry_run = true; }},
    {12, [](Case& value, Choices&) { value.request.managed_fields = false; }},
});

}  // namespace

bool has_limit_range(const Case& value) {
  const auto& objects = value.cluster.objects;
  return std::any_of(objects.begin(), objects.end(), [&](const Value& one) {
    return one["kind"].text() == "LimitRange" &&
           one["metadata"]["namespace"].text() == value.request.namespace_name;
  });
}

Value& metadata_of_namespace(Case& value) {
  auto& objects = value.cluster.objects;
  const auto is_it = [&](const Value& one) {
    return one["kind"].text() == "Namespace" &&
           one["metadata"]["name"].text() == value.request.namespace_name;
  };
  auto there = std::find_if(objects.rbegin(), objects.rend(), is_it);
  if (there == objects.rend()) {
    objects.push_back(object("v1", "Namespace", value.request.namespace_name.c_str(), ""));
    there = objects.rbegin();
  }
  return there->edit("metadata");
}

void draw_namespace(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices) {
  const auto be_in_one_of = [&](const std::vector<Value>& names) {
    value.request.namespace_name = choices.pick(names).text();
  };
  if (!prepared_vocabulary.namespaces.empty() && !choices.one_in(8))
    be_in_one_of(prepared_vocabulary.namespaces);
  if (!prepared_vocabulary.rare_namespaces.empty() && choices.one_in(8))
    be_in_one_of(prepared_vocabulary.rare_namespaces);
  const auto into = [&](const char* map) {
    return [&value, map](const PreparedVocabulary::KeyedValues& key, const Value& text) {
      metadata_of_namespace(value).edit(map).set(key.key, text);
    };
  };
  if (!prepared_vocabulary.namespace_labels.empty())
    draw_common(choices, prepared_vocabulary.namespace_labels, quarters_of_labels(choices), into("labels"));
  if (!prepared_vocabulary.namespace_annotations.empty())
    draw_common(choices, prepared_vocabulary.namespace_annotations, quarters_of_annotations(choices),
                into("annotations"));
  if (prepared_vocabulary.rare_namespace_labels.empty() &&
      prepared_vocabulary.rare_namespace_annotations.empty())
    return;
  const std::uint64_t rarity = draw_rarity(choices);
  draw_rare(choices, prepared_vocabulary.rare_namespace_labels, rarity, into("labels"));
  draw_rare(choices, prepared_vocabulary.rare_namespace_annotations, rarity, into("annotations"));
}

void draw_user(Case& value, const PreparedVocabulary& prepared_vocabulary, Choices& choices) {
  const auto put = [&](const PreparedVocabulary::KeyedValues& key, const Value& text) {
    put_user(value, key.key, text);
  };
  if (!prepared_vocabulary.users.empty())
    draw_common(choices, prepared_vocabulary.users, quarters_of_labels(choices), put);
  if (!prepared_vocabulary.rare_users.empty())
    draw_rare(choices, prepared_vocabulary.rare_users, draw_rarity(choices), put);
}

void draw_cluster(Case& value, Choices& choices) {
  for (const OptionalPart& row : kOptionalParts) {
    if (choices.one_in(row.one_in)) row.add(value, choices);
  }
}

void add_optional_part(Case& value, Choices& choices) { choices.pick(kOptionalParts).add(value, choices); }

void draw_policies(Value& webhook, Choices& choices) {
  static const std::array<Value, 5> conditions{
      Value{{"name", "named"}, {"expression", "has(object.metadata.name)"}},
      Value{{"name", "not-system"}, {"expression", "request.namespace != 'kube-system'"}},
      Value{{"name", "small"}, {"expression", "size(object.spec.containers) < 3"}},
      Value{{"name", "plain"},
            {"expression", "!object.spec.containers.exists(c, c.name.startsWith('istio'))"}},
      Value{{"name", "breaks"}, {"expression", "object.metadata.labels['team'] == 'data'"}}};
  static const std::array<Value, 3> selectors{
      Value{{"matchLabels", {{"app", "web"}}}},
      Value{
          {"matchExpressions", Value::list({Value{{"key", "control-plane"}, {"operator", "DoesNotExist"}}})}},
      Value{{"matchExpressions",
             Value::list({Value{{"key", "team"}, {"operator", "In"}, {"values", Value::list({"data"})}}})}}};
  if (choices.one_in(3)) webhook.set("reinvocationPolicy", "Never");
  if (choices.one_in(4)) webhook.set("failurePolicy", choices.coin() ? "Ignore" : "Fail");
  if (choices.one_in(12)) webhook.set("matchPolicy", choices.coin() ? "Exact" : "Equivalent");
  if (choices.one_in(16)) webhook.set("timeoutSeconds", choices.between(1, 30));
  if (choices.one_in(16)) webhook.set("objectSelector", choices.pick(selectors));
  if (choices.one_in(16)) webhook.set("namespaceSelector", choices.pick(selectors));
  if (choices.one_in(16)) webhook.set("matchConditions", Value::list({choices.pick(conditions)}));
  if (choices.one_in(16)) webhook.set("admissionReviewVersions", Value::list({"v1beta1", "v1"}));
  if (choices.one_in(24)) webhook.set("sideEffects", "NoneOnDryRun");
}

}  // namespace fixpoint::generators
