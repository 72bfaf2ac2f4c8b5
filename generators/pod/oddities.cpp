#include <algorithm>

#include "generators/pod/feature.h"
#include "generators/pod/typed.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// In every list element a field that nobody knows, as a Pod of a newer client has them.
void unknown_everywhere(Draft& draft, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec,
                [](Value& object, const Type& type) { object.set("futureField", type.name); });
  draft.metadata.set("futureMetadata", "x");
}

void unknown_somewhere(Draft& draft, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec, [&](Value& object, const Type&) {
    if (draft.c.one_in(3)) object.set("futureField", {{"nested", Value::list({1, "two", true})}});
  });
}

/// Explicit zeros and nulls in absent fields that have a meaningless zero value: not pointers, not always
/// written.
void zeros(Draft& draft, Value& spec) {
  visit_objects(spec, apiserver::kPodSpec, [&](Value& object, const Type& type) {
    if (!draft.c.one_in(2)) return;
    const Field& field = draft.c.pick(type.fields);
    if (field.is_always || object.find(field.name) != nullptr) return;
    object.set(field.name, field.is_pointer ? Value() : zero_value(field));
  });
}

void reversed_members(Draft&, Value& spec) {
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

/// As the API server answers it: a client that copies a stored Pod sends a status, too.
void copied_status(Draft& draft, Value&) {
  draft.metadata.set("uid", "0b1c");
  draft.metadata.set("generation", 3);
  draft.metadata.set("selfLink", "/api/v1/namespaces/default/pods/web");
}

constexpr Feature kOddityFeatures[] = {
    {"oddities/unknown-everywhere", exotic, Place::spec, {}, unknown_everywhere},
    {"oddities/unknown-somewhere", exotic, Place::spec, {}, unknown_somewhere},
    {"oddities/zeros", exotic, Place::spec, {}, zeros},
    {"oddities/reversed-members", exotic, Place::spec, {}, reversed_members},
    {"oddities/copied-from-a-cluster", exotic, Place::spec, {}, copied_status},
    {"oddities/beyond-53-bits", exotic, Place::spec,
     R"([{"terminationGracePeriodSeconds": 9007199254740993},
         {"terminationGracePeriodSeconds": 9223372036854775807},
         {"tolerations": [{"operator": "Exists", "effect": "NoExecute",
         "tolerationSeconds": 9007199254740993}]}])"},
    {"oddities/largest-user", exotic, Place::any_container,
     R"({"securityContext": {"runAsUser": 2147483647}})"},
    {"oddities/number-as-float", exotic, Place::spec,
     R"([{"terminationGracePeriodSeconds": 30, "activeDeadlineSeconds": 1}])"},
    {"oddities/null-spec-members", exotic, Place::spec,
     R"([{"affinity": null, "tolerations": null}, {"volumes": null, "nodeName": null},
         {"hostNetwork": null}])"},
    {"oddities/false-members", exotic, Place::spec,
     R"([{"hostNetwork": false, "hostPID": false, "hostIPC": false}, {"nodeName": "",
         "serviceAccountName": ""}])"},
    {"oddities/no-containers",
     defect,
     Place::spec,
     {},
     [](Draft&, Value& at) { at.set("containers", Value::empty_list()); }},
    {"oddities/negative-grace", defect, Place::spec, R"({"activeDeadlineSeconds": -1})"},
    {"oddities/bad-restart-policy", defect, Place::spec, R"({"restartPolicy": "always"})"},
    {"oddities/user-too-large", defect, Place::any_container,
     R"({"securityContext": {"runAsUser": 2147483648}})"},
    {"oddities/bad-pull-policy", defect, Place::any_container, R"({"imagePullPolicy": "Sometimes"})"},
};

}  // namespace

std::span<const Feature> oddity_features() { return kOddityFeatures; }

}  // namespace fixpoint::generators
