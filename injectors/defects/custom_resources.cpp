#include "harness/document/json.h"
#include "harness/document/named.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects of defaulters of a custom resource.

/// Sets the default number of replicas.
Answer zero_taken_for_absent(const Call& call, bool is_fixed) {
  const Value& replicas = call.object["spec"]["replicas"];
  const bool is_set = is_fixed ? !replicas.is_null() : replicas.integer().value_or(0) != 0;
  if (is_set) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("replicas", 1); });
}

/// Adds the port of its metrics.
Answer port_added_again(const Call& call, bool is_fixed) {
  if (is_fixed && document::has_named(call.object["spec"]["ports"], "metrics")) return webhooks::allow();
  return changed(call, [](Value& widget) {
    widget.edit("spec").edit("ports").push_back({{"name", "metrics"}, {"port", 9090}});
  });
}

/// Adds its finalizer, also to what is being deleted.
Answer finalizer_added_to_the_dying(const Call& call, bool is_fixed) {
  const Value& metadata = call.object["metadata"];
  if (is_fixed && !metadata["deletionTimestamp"].is_null()) return webhooks::allow();
  for (const Value& one : metadata["finalizers"].elements())
    if (one.text() == "defects.example.io/keep") return webhooks::allow();
  return changed(call, [](Value& widget) {
    widget.edit("metadata").edit("finalizers").push_back("defects.example.io/keep");
  });
}

/// Wants to know the size before it lets anything pass, also an object that is on its way out.
Answer dying_object_refused(const Call& call, bool is_fixed) {
  const Value& metadata = call.object["metadata"];
  const bool is_dying = !metadata["deletionTimestamp"].is_null();
  if (is_fixed || !is_dying) {
    if (is_dying || !call.object["spec"]["replicas"].is_null()) return webhooks::allow();
    return changed(call, [](Value& widget) { widget.edit("spec").set("replicas", 1); });
  }
  return webhooks::deny(403, "Forbidden", "the Widget is being deleted");
}

/// Makes the subject a webhook for Widgets, which a definition in its cluster describes.
void of_widgets(runner::Subject& subject) {
  Value& rule = subject.configuration.edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("apiGroups", Value::list({"defects.example.io"}));
  rule.set("resources", Value::list({"widgets"}));
  rule.set("operations", Value::list({"CREATE", "UPDATE"}));
  subject.objects.push_back(*document::read_json(R"({"apiVersion":"apiextensions.k8s.io/v1",
      "kind":"CustomResourceDefinition","metadata":{"name":"widgets.defects.example.io"},
      "spec":{"group":"defects.example.io","scope":"Namespaced","names":{"kind":"Widget","plural":"widgets"},
      "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
      "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
        "spec":{"type":"object","properties":{
          "size":{"type":"integer","minimum":0,"maximum":10},
          "replicas":{"type":"integer","minimum":0},
          "ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
            "items":{"type":"object","required":["name"],
              "properties":{"name":{"type":"string"},"port":{"type":"integer"}}}}}},
        "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}})"));
  subject.kinds = {{"defects.example.io/v1", "Widget"}};
}

constexpr Defect kCustomResourceDefects[] = {
    {"zero-taken-for-absent", "Sets its default where a custom resource says 0.", "explicit-kept",
     zero_taken_for_absent, of_widgets},
    {"port-of-widget-without-guard", "Appends its port to a custom resource at every call.", "bounded-growth",
     port_added_again, of_widgets},
    {"finalizer-added-to-the-dying", "Adds its finalizer to a custom resource that is being deleted.",
        "valid-spec",
     finalizer_added_to_the_dying, of_widgets},
    {"dying-object-refused", "Refuses every update of a custom resource that is being deleted.",
        "update-safe",
     dying_object_refused, of_widgets},
};

}  // namespace

std::span<const Defect> custom_resource_defects() { return kCustomResourceDefects; }

}  // namespace fixpoint::injectors::defects
