#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Adds variables that refer to one another: their order matters.
void chain(PodBuilder&, Value& container) {
  auto& env = container.edit("env").edit_elements();
  env.push_back({{"name", "BASE"}, {"value", "/srv"}});
  env.push_back({{"name", "DATA_DIR"}, {"value", "$(BASE)/data"}});
  env.push_back({{"name", "FILE"}, {"value", "$(DATA_DIR)/$$(NOT_ME)/$(MISSING)"}});
}

void backward_chain(PodBuilder&, Value& container) {
  auto& env = container.edit("env").edit_elements();
  env.push_back({{"name", "FILE"}, {"value", "$(LATER)/x"}});
  env.push_back({{"name", "LATER"}, {"value", "/srv"}});
}

/// Adds a user's variable that refers to one that a webhook may define.
void uses_injected(PodBuilder& builder, Value& container) {
  const Value& name = builder.word(NameKind::env);
  container.edit("env").push_back(
      {{"name", "USES"}, {"value", std::string("$(").append(name.text()).append(")")}});
}

void twice(PodBuilder& builder, Value& container) {
  const Value& name = builder.word(NameKind::env);
  container.edit("env").push_back({{"name", name}, {"value", "first"}});
  if (builder.c.coin()) container.edit("env").push_back({{"name", "BETWEEN"}, {"value", "x"}});
  container.edit("env").push_back({{"name", name}, {"value", builder.c.coin() ? "second" : "first"}});
}

constexpr Feature kEnvFeatures[] = {
    {"env/value", common, Place::env, R"([{"value": "v"}, {"value": "1"}, {"value": "a b"}])"},
    {"env/without-value", exotic, Place::env, R"([{}, {"value": ""}])"},
    {"env/field", exotic, Place::env,
     R"([{"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
         {"valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}},
         {"valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.podIP"}}}])"},
    {"env/resource", exotic, Place::env,
     R"([{"valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
         {"valueFrom": {"resourceFieldRef": {"resource": "requests.memory", "divisor": "1Mi"}}}])"},
    {"env/config-map", exotic, Place::env,
     R"([{"valueFrom": {"configMapKeyRef": {"name": "settings", "key": "a"}}},
         {"valueFrom": {"configMapKeyRef": {"name": "settings", "key": "a", "optional": true}}}])"},
    {"env/secret", exotic, Place::env,
     R"([{"valueFrom": {"secretKeyRef": {"name": "keys", "key": "token"}}},
         {"valueFrom": {"secretKeyRef": {"name": "keys", "key": "token", "optional": false}}}])"},
    {"env/from", exotic, Place::any_container,
     R"([{"envFrom": [{"configMapRef": {"name": "settings"}}]},
         {"envFrom": [{"prefix": "P_", "secretRef": {"name": "keys", "optional": true}}]},
         {"envFrom": [{"secretRef": {"name": "keys"}}, {"secretRef": {"name": "keys"}}]}])"},
    {"env/chain", exotic, Place::any_container, {}, chain},
    {"env/backward-chain", exotic, Place::any_container, {}, backward_chain},
    {"env/uses-injected", exotic, Place::any_container, {}, uses_injected},
    {"env/twice", exotic, Place::any_container, {}, twice},
    {"env/quotes", exotic, Place::env,
     R"JSON([{"value": "\"quoted\" 'single' `back`"}, {"value": "a\\nb\\\\"}])JSON"},
    {"env/newlines", exotic, Place::env, R"([{"value": "a\nb\n"}, {"value": "\r\n"}, {"value": "\ta"}])"},
    {"env/unicode", exotic, Place::env, R"([{"value": "\uD83D\uDE80"}, {"value": "\u00E9\u0301 \u202E"}])"},
    {"env/template", exotic, Place::env,
     R"JSON([{"value": "{{ .Values.x }}"}, {"value": "${X:-y} $(date) $$"}])JSON"},
    {"env/json-value", exotic, Place::env, R"JSON({"value": "{\"a\": [1, {\"b\": \"c\"}]}"})JSON"},
    {"env/preload", exotic, Place::env, R"({"name": "LD_PRELOAD", "value": "/lib/mine.so"})"},
    {"env/proxy", exotic, Place::env,
     R"([{"name": "http_proxy", "value": "http://p:1"}, {"name": "NO_PROXY", "value": "*"}])"},
    {"env/lower-case-copy", exotic, Place::any_container,
     R"({"env": [{"name": "MODE", "value": "a"}, {"name": "mode", "value": "b"}]})"},
    {"env/name-with-dots", exotic, Place::env,
     R"([{"name": "a.b-c", "value": "1"}, {"name": "_", "value": "1"}])"},
    {"env/many",
     exotic,
     Place::any_container,
     {},
     [](PodBuilder&, Value& container) {
       for (int i = 0; i < 12; ++i) {
         container.edit("env").push_back(
             {{"name", "SETTING_" + std::to_string(i)}, {"value", "some value of it"}});
       }
     }},
    {"env/value-and-source", defect, Place::env,
     R"({"value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})"},
    {"env/name-with-equals", defect, Place::env,
     R"([{"name": "A=B", "value": "1"}, {"name": "", "value": "1"}])"},
    {"env/empty-source", defect, Place::env, R"({"valueFrom": {}})"},
};

}  // namespace

std::span<const Feature> env_features() { return kEnvFeatures; }

}  // namespace fixpoint::generators
