#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/properties/property.h"
#include "harness/runner/examine.h"

namespace fixpoint::properties {

/// Returns a Case whose only webhook has reinvocationPolicy IfNeeded, without plugins and field tracking, so
/// that every judgement on it is about the webhook.
inline cases::Case of_one_webhook(cases::Backend backend, const char* pod) {
  cases::Case value;
  value.request.object = document::read_json(pod).value();
  value.cluster.admission_plugins.clear();
  value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None","reinvocationPolicy":"IfNeeded",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}]}]})")
                               .value()};
  value.webhooks.emplace("c/a.b.c", std::move(backend));
  return value;
}

/// Makes the Case one about a custom resource.
inline void become_widget(cases::Case& value) {
  value.request.object = document::read_json(R"({"apiVersion":"example.io/v1","kind":"Widget",
      "metadata":{"name":"w","namespace":"default"},"spec":{"size":1}})")
                             .value();
  Value& rule = value.cluster.objects.front().edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("apiGroups", Value::list({"example.io"}));
  rule.set("resources", Value::list({"widgets"}));
  value.cluster.objects.push_back(document::read_json(R"({"apiVersion":"apiextensions.k8s.io/v1",
      "kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.io"},"spec":{"group":"example.io",
      "scope":"Namespaced","names":{"kind":"Widget","plural":"widgets"},"versions":[{"name":"v1",
      "served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{
      "type":"object","properties":{"size":{"type":"integer"},
      "replicas":{"type":"integer","minimum":0}}}}}}}]}})")
                                      .value());
}

/// Returns the schema of the Widget's spec in the Case's last object.
inline Value& schema_of_spec(cases::Case& value) {
  return value.cluster.objects.back()
      .edit("spec")
      .edit("versions")
      .edit(0)
      .edit("schema")
      .edit("openAPIV3Schema")
      .edit("properties")
      .edit("spec");
}

/// Adds a validating webhook v/a.b.c of the same rules, which the same handler answers.
inline void add_validator(cases::Case& value) {
  Value validating = value.cluster.objects.front();
  validating.set("kind", "ValidatingWebhookConfiguration");
  validating.edit("metadata").set("name", "v");
  validating.edit("webhooks").edit(0).remove("reinvocationPolicy");
  value.cluster.objects.push_back(std::move(validating));
  value.webhooks.emplace("v/a.b.c", value.webhooks.at("c/a.b.c"));
}

/// A defaulter of that resource.
inline webhooks::Answer takes_zero_for_absent(const webhooks::Call& call, bool is_fixed) {
  const Value& replicas = call.object["spec"]["replicas"];
  if (is_fixed ? !replicas.is_null() : replicas.integer().value_or(0) != 0) return webhooks::allow();
  Value widget = call.object;
  widget.edit("spec").set("replicas", 1);
  return webhooks::allow_change(call.object, widget);
}

inline cases::Script script_of(const std::string& text) {
  return cases::read_script(document::read_json(text).value()).value();
}

/// Returns the judgement of a property on a Case; `handler` answers for the names of bundled webhooks in it.
inline Judgement judgement_of(const Property& property, const cases::Case& value,
                              const webhooks::Handler& handler = {}) {
  const webhooks::Resolve resolve = [&](std::string_view) -> document::Result<webhooks::Handler> {
    return handler;
  };
  const auto prepared = runner::prepare(value, resolve, {}).value();
  return property.ask({prepared.value, prepared.handlers, prepared.admission, {}});
}
inline Judgement judgement_of(const char* property, const cases::Case& value,
                              const webhooks::Handler& handler = {}) {
  return judgement_of(*find(property), value, handler);
}

/// Returns the violations in a judgement; none if it is another one.
inline std::vector<Violation> violations_in(const Judgement& judgement) {
  const auto* violated = std::get_if<Violated>(&judgement);
  return violated == nullptr ? std::vector<Violation>() : violated->violations;
}
inline std::vector<Violation> violations_of(const char* property, const cases::Case& value,
                                            const webhooks::Handler& handler = {}) {
  return violations_in(judgement_of(property, value, handler));
}

/// A webhook that changes the Pod; `call` counts its calls.
inline webhooks::Handler changing(std::function<void(Value& pod, int call)> change) {
  return [change = std::move(change), calls = std::make_shared<int>(0)](const webhooks::Call& call) {
    Value pod = call.object;
    change(pod, ++*calls);
    return webhooks::allow(document::diff(call.object, pod));
  };
}

}  // namespace fixpoint::properties
