#include <algorithm>
#include <cctype>
#include <string>

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

/// Compares the number that may be unavailable with that of the replicas, which may be 0.
Answer default_refused_beside_zero(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  const auto replicas = spec["replicas"].integer(), unavailable = spec["unavailable"].integer();
  const bool is_scaled_to_zero = is_fixed && replicas == 0;
  if (replicas && unavailable && *unavailable > *replicas && !is_scaled_to_zero)
    return webhooks::deny(422, "Invalid",
                          "spec.unavailable: Invalid value: must not be greater than replicas");
  if (!replicas) return changed(call, [](Value& widget) { widget.edit("spec").set("replicas", 3); });
  return webhooks::allow();
}

/// Says the protocol of each port, which its controller knows without.
Answer protocol_of_each_port(const Call& call, bool is_fixed) {
  if (!call.object["spec"]["ports"].is_array()) return webhooks::allow();
  return changed(call, [&](Value& widget) {
    widget.edit("metadata").edit("labels").set("defects.example.io/has-ports", "yes");
    if (is_fixed) return;
    for (Value& port : widget.edit("spec").edit("ports").edit_elements())
      if (port.is_object() && port["protocol"].is_null()) port.set("protocol", "TCP");
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

constexpr const char* kConnection = "defects.example.io/connection";

/// Wants to find the Secret that the object names, also of an object that is on its way out.
Answer dying_object_needs_secret(const Call& call, bool is_fixed) {
  const Value& metadata = call.object["metadata"];
  const std::string_view name = metadata["annotations"][kConnection].text();
  if (name.empty() || (is_fixed && !metadata["deletionTimestamp"].is_null())) return webhooks::allow();
  if (call.cluster.find("Secret", call.request.namespace_name, name) == nullptr)
    return webhooks::deny(403, "Forbidden", "Secret " + std::string(name) + " not found");
  if (!call.object["spec"]["replicas"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("replicas", 1); });
}

/// Refuses a size that is too large, also in an object that is on its way out.
Answer dying_object_judged_anew(const Call& call, bool is_fixed) {
  if (is_fixed && !call.object["metadata"]["deletionTimestamp"].is_null()) return webhooks::allow();
  if (call.object["spec"]["size"].integer().value_or(0) > 5)
    return webhooks::deny(403, "Forbidden", "spec.size is too large");
  if (!call.object["spec"]["replicas"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("replicas", 1); });
}

/// Labels a Widget of the kind that its annotation asks for, when it is created.
Answer label_at_creation_alone(const Call& call, bool is_fixed) {
  const Value& metadata = call.object["metadata"];
  if (!is_fixed && call.request.is_update()) return webhooks::allow();
  if (metadata["annotations"]["defects.example.io/tier"].is_null() || !metadata["labels"]["tier"].is_null())
    return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("metadata").edit("labels").set("tier", "basic"); });
}

/// Returns true if the list has that text.
bool has_text(const Value& list, std::string_view text) {
  return std::ranges::any_of(list.elements(), [&](const Value& one) { return one.text() == text; });
}

/// Adds a host to a list, and knows its work by a member that the definition does not have.
Answer mark_that_is_not_stored(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  if (is_fixed ? has_text(spec["hosts"], "metrics") : !spec["hasMetrics"].is_null()) return webhooks::allow();
  return changed(call, [&](Value& widget) {
    widget.edit("spec").edit("hosts").push_back("metrics");
    if (!is_fixed) widget.edit("spec").set("hasMetrics", true);
  });
}

/// Sets a member that comes with the next version of the definition.
Answer member_of_the_next_version(const Call& call, bool is_fixed) {
  const char* member = is_fixed ? "host" : "hostName";
  if (!call.object["spec"][Name(member)].is_null()) return webhooks::allow();
  return changed(call, [&](Value& widget) { widget.edit("spec").set(Name(member), "example.io"); });
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

/// Sets the default host, and stores others in small letters.
Answer host_in_small_letters(const Call& call, bool is_fixed) {
  const Value& host = call.object["spec"]["host"];
  const std::string set = host.is_null() ? "example.io" : in_small_letters(host.text());
  if (host.text() == set || (is_fixed && !host.is_null())) return webhooks::allow();
  return changed(call, [&](Value& widget) { widget.edit("spec").set("host", set); });
}

/// Does the same, and lets nobody change a host: compared with what was sent, not with what is stored.
Answer host_that_may_not_change(const Call& call, bool is_fixed) {
  const Value& old = call.request.old_object;
  const std::string_view host = call.object["spec"]["host"].text();
  if (call.request.is_update() && !old["spec"]["host"].is_null() &&
      (is_fixed ? in_small_letters(host) : std::string(host)) !=
          (is_fixed ? in_small_letters(old["spec"]["host"].text()) : std::string(old["spec"]["host"].text())))
    return webhooks::deny(403, "Forbidden", "spec.host is immutable");
  return host_in_small_letters(call, is_fixed);
}

/// Sets a default, also in what was stored before it, where a policy of the cluster lets nobody change it.
Answer default_of_what_is_immutable(const Call& call, bool is_fixed) {
  if (is_fixed && call.request.is_update()) return webhooks::allow();
  if (!call.object["spec"]["host"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("host", "example.io"); });
}

/// Labels what it is asked for, an update of the status, too.
Answer label_in_updates_of_the_status(const Call& call, bool is_fixed) {
  if (is_fixed && !call.request.sub_resource.empty()) return webhooks::allow();
  if (!call.object["metadata"]["labels"]["tier"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("metadata").edit("labels").set("tier", "basic"); });
}

/// Begins the status of a new Widget.
Answer status_in_the_object(const Call& call, bool is_fixed) {
  if (is_fixed || call.object.is_null() || !call.object["status"]["phase"].is_null())
    return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("status").set("phase", "Pending"); });
}

/// Sets a default, and takes the Scale of a Widget for a Widget.
Answer object_read_out_of_a_scale(const Call& call, bool is_fixed) {
  const bool is_scale = call.object["kind"].text() == "Scale";
  if (is_scale) return is_fixed ? webhooks::allow() : webhooks::deny(400, "BadRequest", "expected a Widget");
  if (!call.object["spec"]["host"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("host", "example.io"); });
}

/// Sets its default in objects of the newest version alone.
Answer default_in_one_version(const Call& call, bool is_fixed) {
  const bool is_newest = call.object["apiVersion"].text() == "defects.example.io/v1";
  if ((!is_fixed && !is_newest) || !call.object["spec"]["host"].is_null()) return webhooks::allow();
  return changed(call, [](Value& widget) { widget.edit("spec").set("host", "example.io"); });
}

/// Adds its cache as its type writes it, with all that the author left out.
Answer default_hidden_by_a_zero(const Call& call, bool is_fixed) {
  if (!call.object["spec"]["cache"].is_null()) return webhooks::allow();
  return changed(call, [&](Value& widget) {
    Value cache{{"size", 1}};
    if (!is_fixed) cache.set("replicas", 0);
    widget.edit("spec").set("cache", std::move(cache));
  });
}

/// Makes the subject a webhook for Widgets, which a definition with these members of spec describes.
void of_widgets_with(runner::Subject& subject, const char* members) {
  Value& rule = subject.configuration.edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("apiGroups", Value::list({"defects.example.io"}));
  rule.set("resources", Value::list({"widgets"}));
  rule.set("operations", Value::list({"CREATE", "UPDATE"}));
  Value definition = *document::read_json(R"({"apiVersion":"apiextensions.k8s.io/v1",
      "kind":"CustomResourceDefinition","metadata":{"name":"widgets.defects.example.io"},
      "spec":{"group":"defects.example.io","scope":"Namespaced","names":{"kind":"Widget","plural":"widgets"},
      "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
      "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
        "spec":{"type":"object"},
        "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}})");
  definition.edit("spec")
      .edit("versions")
      .edit(0)
      .edit("schema")
      .edit("openAPIV3Schema")
      .edit("properties")
      .edit("spec")
      .set("properties", *document::read_json(members));
  subject.objects.push_back(std::move(definition));
  subject.kinds = {{"defects.example.io/v1", "Widget"}};
}

void of_widgets(runner::Subject& subject) {
  of_widgets_with(subject, R"({"size":{"type":"integer","minimum":0,"maximum":10},
      "replicas":{"type":"integer","minimum":0},
      "ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
        "items":{"type":"object","required":["name"],
          "properties":{"name":{"type":"string"},"port":{"type":"integer"}}}}})");
}

void of_connected_widgets(runner::Subject& subject) {
  of_widgets(subject);
  subject.objects.push_back({{"apiVersion", "v1"},
                             {"kind", "Secret"},
                             {"metadata", {{"name", "connection"}, {"namespace", "default"}}}});
  subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{kConnection, {"connection", "other"}}});
}

void of_tiers(runner::Subject& subject) {
  of_widgets(subject);
  subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{"defects.example.io/tier", {"basic"}}});
}

void of_hosts(runner::Subject& subject) {
  of_widgets_with(subject, R"({"host":{"type":"string","pattern":"^[A-Za-z.]{1,12}$"},
      "hosts":{"type":"array","items":{"type":"string"}}})");
}

void of_ports(runner::Subject& subject) {
  of_widgets_with(subject, R"({"ports":{"type":"array","items":{"type":"object","required":["port"],
      "properties":{"port":{"type":"integer"},"protocol":{"type":"string"}}}}})");
}

void of_unavailable(runner::Subject& subject) {
  of_widgets_with(subject, R"({"replicas":{"type":"integer","minimum":0},
      "unavailable":{"type":"integer","minimum":1,"maximum":1,"default":1}})");
}

void of_replicated_caches(runner::Subject& subject) {
  of_widgets_with(subject, R"({"cache":{"type":"object","properties":{"size":{"type":"integer"},
      "replicas":{"type":"integer","default":3}}}})");
}

/// Makes the subject a webhook for Widgets that can be scaled, and for all their subresources.
void also_of_scales(runner::Subject& subject) {
  of_widgets_with(subject, R"({"host":{"type":"string"},"replicas":{"type":"integer","minimum":0}})");
  subject.objects.back()
      .edit("spec")
      .edit("versions")
      .edit(0)
      .edit("subresources")
      .set("scale", {{"specReplicasPath", ".spec.replicas"}, {"statusReplicasPath", ".status.replicas"}});
  subject.configuration.edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("resources", Value::list({"widgets", "widgets/scale"}));
}

void also_of_statuses(runner::Subject& subject) {
  of_hosts(subject);
  subject.configuration.edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("resources", Value::list({"widgets", "widgets/status"}));
}

/// A policy of the cluster knows hosts as immutable.
void of_immutable_hosts(runner::Subject& subject) {
  of_hosts(subject);
  subject.objects.push_back(*document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"ValidatingAdmissionPolicy","metadata":{"name":"hosts"},"spec":{"failurePolicy":"Fail",
      "matchConstraints":{"resourceRules":[{"apiGroups":["defects.example.io"],"apiVersions":["v1"],
        "operations":["UPDATE"],"resources":["widgets"]}]},
      "validations":[{"expression":"object.spec.?host == oldObject.spec.?host",
        "message":"spec.host is immutable"}]}})"));
  subject.objects.push_back(*document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"hosts"},
      "spec":{"policyName":"hosts","validationActions":["Deny"]}})"));
}

void of_two_versions(runner::Subject& subject) {
  of_hosts(subject);
  Value& versions = subject.objects.back().edit("spec").edit("versions");
  Value older = versions.at(0);
  older.set("name", "v1beta1");
  older.set("storage", false);
  versions.push_back(std::move(older));
  subject.configuration.edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("apiVersions", Value::list({"v1", "v1beta1"}));
}

constexpr Defect kCustomResourceDefects[] = {
    {"zero-taken-for-absent", "Sets its default where a custom resource says 0.", "explicit-kept",
     zero_taken_for_absent, of_widgets},
    {"port-of-widget-without-guard", "Appends its port to a custom resource at every call.", "bounded-growth",
     port_added_again, of_widgets},
    {"finalizer-added-to-the-dying", "Adds its finalizer to a custom resource that is being deleted.",
     "valid-spec", finalizer_added_to_the_dying, of_widgets},
    {"dying-object-refused", "Refuses every update of a custom resource that is being deleted.",
     "update-safe", dying_object_refused, of_widgets},
    {"dying-object-needs-secret", "Refuses to let an object die whose Secret is gone already.", "update-safe",
     dying_object_needs_secret, of_connected_widgets},
    {"dying-object-judged-anew", "Refuses the removal of a finalizer of what it would not take any more.",
     "old-objects-live", dying_object_judged_anew, of_widgets},
    {"label-at-creation-alone", "Does in no update what an annotation asks for.", "created-only",
     label_at_creation_alone, of_tiers},
    {"default-hidden-by-a-zero", "Writes the zero of a new member, whose default the definition has.",
     "no-explicit-zeros", default_hidden_by_a_zero, of_replicated_caches},
    {"mark-that-is-not-stored", "Knows what it added by a member that the server does not store.",
     "settles-when-stored", mark_that_is_not_stored, of_hosts},
    {"member-of-the-next-version", "Writes a member that the definition does not have.", "nothing-unknown",
     member_of_the_next_version, of_hosts},
    {"host-in-small-letters", "Stores a value of the manifest in another form.", "applied-equals-stored",
     host_in_small_letters, of_hosts},
    {"default-refused-beside-zero", "Refuses 0 replicas for the default of another member.",
     "refused-default", default_refused_beside_zero, of_unavailable},
    {"protocol-of-each-port", "Sets a default in the elements of a list of the manifest.", "filled-element",
     protocol_of_each_port, of_ports},
    {"host-that-may-not-change", "Refuses the manifest that it took before.", "applied-again",
     host_that_may_not_change, of_hosts},
    {"default-of-what-is-immutable", "Sets a default in old objects, which a policy refuses.",
     "old-objects-live", default_of_what_is_immutable, of_immutable_hosts},
    {"label-in-updates-of-the-status", "Sets a label where the server drops it.", "subresources",
     label_in_updates_of_the_status, also_of_statuses},
    {"status-in-the-object", "Writes the status in the object itself, where the server drops it.",
     "subresources", status_in_the_object, of_hosts},
    {"object-read-out-of-a-scale", "Refuses the Scale of an object that it is called for.", "subresources",
     object_read_out_of_a_scale, also_of_scales},
    {"default-in-one-version", "Sets its default in one version of a custom resource.", "every-version",
     default_in_one_version, of_two_versions},
};

}  // namespace

std::span<const Defect> custom_resource_defects() { return kCustomResourceDefects; }

}  // namespace fixpoint::injectors::defects
