#include <algorithm>

#include "generators/pod/feature.h"
#include "generators/pod/typed.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Adds an unknown field to every object of the Pod's spec, as a newer client would.
void unknown_everywhere(PodBuilder& builder, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec,
                [](Value& object, const Type& type) { object.set("futureField", type.name); });
  builder.metadata.set("futureMetadata", "x");
}

void unknown_somewhere(PodBuilder& builder, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec, [&](Value& object, const Type&) {
    if (builder.c.one_in(3)) object.set("futureField", {{"nested", Value::list({1, "two", true})}});
  });
}

/// Adds explicit zeros, or nulls for pointers, to absent fields that the server does not always write.
void zeros(PodBuilder& builder, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec, [&](Value& object, const Type& type) {
    if (!builder.c.one_in(2)) return;
    const Field& field = builder.c.pick(type.fields);
    if (field.is_always || object.find(field.name) != nullptr) return;
    object.set(field.name, field.is_pointer ? Value() : zero_value(field));
  });
}

void reversed_members(PodBuilder&, Value& spec) {
  const auto reverse = [](const auto& self, Value& value) -> void {
    if (value.is_object()) {
      auto& members = value.edit_members();
      std::reverse(members.begin(), members.end());
      for (auto& member : members) self(self, member.value);
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) self(self, value.edit(i));
    }
  };
  reverse(reverse, spec);
}

/// Adds what the API server returns: a client that copies a stored Pod sends a status, too.
void copied_status(PodBuilder& builder, Value&) {
  builder.metadata.set("uid", "0b1c");
  builder.metadata.set("generation", 3);
  builder.metadata.set("selfLink", "/api/v1/namespaces/default/pods/web");
}

constexpr Feature kUnusualFeatures[] = {
    {"unusual/unknown-everywhere", exotic, Place::spec, {}, unknown_everywhere},
    {"unusual/unknown-somewhere", exotic, Place::spec, {}, unknown_somewhere},
    {"unusual/zeros", exotic, Place::spec, {}, zeros},
    {"unusual/reversed-members", exotic, Place::spec, {}, reversed_members},
    {"unusual/copied-from-a-cluster", exotic, Place::spec, {}, copied_status},
    {"unusual/beyond-53-bits", exotic, Place::spec,
     R"([{"terminationGracePeriodSeconds": 9007199254740993},
         {"terminationGracePeriodSeconds": 9223372036854775807},
         {"tolerations": [{"operator": "Exists", "effect": "NoExecute",
         "tolerationSeconds": 9007199254740993}]}])"},
    {"unusual/largest-user", exotic, Place::any_container,
     R"({"securityContext": {"runAsUser": 2147483647}})"},
    {"unusual/number-as-float", exotic, Place::spec,
     R"([{"terminationGracePeriodSeconds": 30, "activeDeadlineSeconds": 1}])"},
    {"unusual/null-spec-members", exotic, Place::spec,
     R"([{"affinity": null, "tolerations": null}, {"volumes": null, "nodeName": null},
         {"hostNetwork": null}])"},
    {"unusual/false-members", exotic, Place::spec,
     R"([{"hostNetwork": false, "hostPID": false, "hostIPC": false}, {"nodeName": "",
         "serviceAccountName": ""}])"},
    {"unusual/no-containers",
     defect,
     Place::spec,
     {},
     [](PodBuilder&, Value& at) { at.set("containers", Value::empty_list()); }},
    {"unusual/negative-grace", defect, Place::spec, R"({"activeDeadlineSeconds": -1})"},
    {"unusual/bad-restart-policy", defect, Place::spec, R"({"restartPolicy": "always"})"},
    {"unusual/user-too-large", defect, Place::any_container,
     R"({"securityContext": {"runAsUser": 2147483648}})"},
    {"unusual/bad-pull-policy", defect, Place::any_container, R"({"imagePullPolicy": "Sometimes"})"},
};

}  // namespace

std::span<const Feature> unusual_features() { return kUnusualFeatures; }

}  // namespace fixpoint::generators
