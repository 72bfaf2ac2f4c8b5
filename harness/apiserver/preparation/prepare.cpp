#include "harness/apiserver/preparation/prepare.h"

#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/preparation/drop_disabled.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/types/security_types.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/qos.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Member;
using document::Name;
using document::Result;
using document::Value;

constexpr std::size_t kGeneratedNameBytesMax = 63;
constexpr std::string_view kSuffix = "xxxxx";

/// Copies a member from another object, or removes it if it is absent there.
void take_over(Value& object, const Type& type, const Name& name, const Value& from) {
  const Value* member = from.find(name);
  if (member == nullptr) {
    object.remove(name);
  } else if (!object[name].same(*member)) {
    put_member(object, type, name, *member);
  }
}

void set_namespace(Value& metadata, std::string_view pod_namespace) {
  if (metadata["namespace"].text() == pod_namespace) return;
  if (pod_namespace.empty()) {
    metadata.remove("namespace");
  } else {
    put_member(metadata, kObjectMeta, "namespace", Value(pod_namespace));
  }
}

Value new_status(const Value& pod, int minor) {
  Value status{{"phase", "Pending"}};
  if (!pod["spec"]["schedulingGates"].empty()) {
    status.set("conditions", Value::list({Value{{"type", "PodScheduled"},
                                                {"status", "False"},
                                                {"lastProbeTime", Value()},
                                                {"lastTransitionTime", Value()},
                                                {"reason", "SchedulingGated"}}}));
  }
  status.set("qosClass", qos_class_of(pod, minor));
  return status;
}

/// Adds one expression per label key that the Pod has.
void merge_keys(Value& owner, const char* keys, const char* op, const Value& labels) {
  const Value list = owner[keys];
  for (const Value& key : list.elements()) {
    const Value* label = labels.find(Name(key.text()));
    if (label == nullptr || owner["labelSelector"].is_null()) continue;
    Value& selector = owner.edit("labelSelector");
    Value expressions = selector["matchExpressions"];
    expressions.push_back(Value{{"key", key}, {"operator", op}, {"values", Value::list({*label})}});
    put_member(selector, kLabelSelector, "matchExpressions", std::move(expressions));
  }
}

void merge_term(Value& term, const Value& labels) {
  merge_keys(term, "matchLabelKeys", "In", labels);
  merge_keys(term, "mismatchLabelKeys", "NotIn", labels);
}

bool has_keys(const Value& term) {
  return !term["matchLabelKeys"].empty() || !term["mismatchLabelKeys"].empty();
}

void merge_affinity_keys(Value& spec, const Value& labels) {
  static constexpr Name kNames[] = {"podAffinity", "podAntiAffinity"};
  for (const Name& kind : kNames) {
    const Value affinity = spec["affinity"][kind];
    const Name required("requiredDuringSchedulingIgnoredDuringExecution");
    for (std::size_t i = 0; i < affinity[required].size(); ++i) {
      if (!has_keys(affinity[required].at(i))) continue;
      merge_term(spec.edit("affinity").edit(kind).edit(required).edit(i), labels);
    }
    const Name preferred("preferredDuringSchedulingIgnoredDuringExecution");
    for (std::size_t i = 0; i < affinity[preferred].size(); ++i) {
      if (!has_keys(affinity[preferred].at(i)["podAffinityTerm"])) continue;
      merge_term(spec.edit("affinity").edit(kind).edit(preferred).edit(i).edit("podAffinityTerm"), labels);
    }
  }
}

void merge_spread_keys(Value& spec, const Value& labels) {
  for (std::size_t i = 0; i < spec["topologySpreadConstraints"].size(); ++i) {
    if (spec["topologySpreadConstraints"].at(i)["matchLabelKeys"].empty()) continue;
    merge_keys(spec.edit("topologySpreadConstraints").edit(i), "matchLabelKeys", "In", labels);
  }
}

}  // namespace

Value apparmor_profile_of(std::string_view annotation) {
  if (annotation == "unconfined") return Value{{"type", "Unconfined"}};
  if (annotation == "runtime/default") return Value{{"type", "RuntimeDefault"}};
  if (!annotation.starts_with(kLocalhostPrefix)) return {};
  annotation.remove_prefix(kLocalhostPrefix.size());
  const Value profile{{"type", "Localhost"}, {"localhostProfile", annotation}};
  validation::Errors errors;
  validation::check_apparmor_profile(profile, validation::Path(""), errors);
  return annotation.empty() || !errors.empty() ? Value() : profile;
}

namespace {

/// The annotation that stands for a profile; empty if none does.
std::string annotation_of(const Value& profile) {
  const std::string_view type = profile["type"].text();
  if (type == "Unconfined") return "unconfined";
  if (type == "RuntimeDefault") return "runtime/default";
  const bool is_local = type == "Localhost" && !profile["localhostProfile"].is_null();
  return is_local ? std::string(kLocalhostPrefix).append(profile["localhostProfile"].text()) : "";
}

void apply_apparmor(Value& container, const Value& pod_profile, Value& annotations, int minor,
                    std::vector<std::string>& warnings) {
  const std::string key = std::string(kAppArmorPrefix).append(container["name"].text());
  const Value* annotation = annotations.find(Name(key));
  const Value own = container["securityContext"]["appArmorProfile"];
  if (annotation == nullptr) {
    const std::string added = annotation_of(own.is_null() ? pod_profile : own);
    if (minor <= gate::kAppArmorAnnotationsLast && !added.empty()) annotations.set(key, added);
    return;
  }
  if (!own.is_null()) return;
  const Value profile = apparmor_profile_of(annotation->text());
  if (!profile.is_null() && profile == pod_profile) return;
  if (!profile.is_null()) {
    if (container["securityContext"].is_null()) {
      put_member(container, kContainer, "securityContext", Value::empty_object());
    }
    put_member(container.edit("securityContext"), kSecurityContext, "appArmorProfile", profile);
  }
  warnings.push_back("metadata.annotations[" + key +
                     "]: deprecated since v1.30; use the \"appArmorProfile\" field instead");
}

/// Copies annotations to fields and, up to 1.33, fields to annotations (applyAppArmorVersionSkew in
/// pkg/registry/core/pod/strategy.go): a later container of the same name meets the annotation.
void apply_apparmor_annotations(Prepared& prepared, int minor) {
  const Value given = prepared.pod["metadata"]["annotations"];
  Value annotations = given;
  const Value spec = prepared.pod["spec"];
  bool has_any = false;
  for (const Member& member : annotations.members())
    has_any |= member.key.text().starts_with(kAppArmorPrefix);
  has_any |= minor <= gate::kAppArmorAnnotationsLast;
  if (!has_any || spec["os"]["name"].text() == "windows") return;
  for (const Name& list : kContainerLists) {
    for (std::size_t i = 0; i < spec[list].size(); ++i) {
      Value container = spec[list].at(i);
      apply_apparmor(container, spec["securityContext"]["appArmorProfile"], annotations, minor,
                     prepared.warnings);
      if (container.same(spec[list].at(i))) continue;
      prepared.pod.edit("spec").edit(list).edit(i) = std::move(container);
    }
  }
  if (!annotations.same(given)) prepared.pod.edit("metadata").set("annotations", annotations);
}

void keep_old_but(Value& pod, const Value& old, const Value& spec) {
  pod.set("spec", spec);
  take_over(pod, kPod, "status", old);
  Value metadata = pod["metadata"];
  static constexpr Name kNames[] = {"deletionTimestamp", "generation", "selfLink",       "labels",
                                    "annotations",       "finalizers", "ownerReferences"};
  for (const Name& name : kNames) {
    take_over(metadata, kObjectMeta, name, old["metadata"]);
  }
  if (!metadata.same(pod["metadata"])) pod.set("metadata", std::move(metadata));
}

/// The old Pod's metadata with the new Pod's identity: up to 1.32, all that a change of ephemeral containers
/// kept of it (dropPodUpdates in pkg/registry/core/pod/strategy.go).
void keep_identity_of(Value& pod, const Value& old) {
  Value metadata = old["metadata"];
  static constexpr Name kNames[] = {"name", "namespace", "resourceVersion", "uid"};
  for (const Name& name : kNames) take_over(metadata, kObjectMeta, name, pod["metadata"]);
  pod.set("metadata", std::move(metadata));
}

/// The old containers with the new ones' resources, or the new ones if any of them was renamed.
Value resized_containers(const Value& now, const Value& old) {
  Value result = old;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (!(now.at(i)["name"] == old.at(i)["name"])) return now;
    static constexpr Name kNames[] = {"resources", "resizePolicy"};
    for (const Name& name : kNames) {
      Value container = result.at(i);
      take_over(container, kContainer, name, now.at(i));
      if (!container.same(result.at(i))) result.edit(i) = std::move(container);
    }
  }
  return result;
}

void keep_resize_only(Value& pod, const Value& old, int minor) {
  const Value& now = pod["spec"];
  const Value& before = old["spec"];
  static constexpr Name kNames[] = {"containers", "initContainers"};
  for (const Name& list : kNames) {
    if (now[list].size() != before[list].size()) return;
  }
  Value spec = before;
  if (minor >= gate::kPodLevelResize) take_over(spec, kPodSpec, "resources", now);
  for (const Name& list : kNames) {
    if (now[list].empty()) continue;
    Value containers = resized_containers(now[list], before[list]);
    if (!containers.same(spec[list])) spec.set(list, std::move(containers));
  }
  keep_old_but(pod, old, spec);
}

}  // namespace

/// The error of EnsureObjectNamespaceMatchesRequestNamespace (k8s.io/apiserver/pkg/registry/rest/meta.go).
std::optional<Error> refuse_other_namespace(const Value& object, std::string_view own_namespace) {
  const std::string_view named = object["metadata"]["namespace"].text();
  if (named.empty() || own_namespace.empty() || named == own_namespace) return std::nullopt;
  constexpr document::Text kText(
      "the namespace of the provided object does not match the namespace sent on the request");
  return Error{std::string(kText.words()), "/metadata/namespace"};
}

Value new_metadata(const Value& sent, std::string_view own_namespace) {
  Value metadata = sent;
  // The server wiped its other fields before admission, and what webhooks set of them stays
  // (apiserver/pkg/registry/rest/meta.go FillObjectMetaSystemFields).
  static constexpr Name kNames[] = {"creationTimestamp", "uid"};
  for (const Name& name : kNames) metadata.remove(name);
  set_namespace(metadata, own_namespace);
  const std::string_view base = metadata["generateName"].text();
  if (!base.empty() && metadata["name"].text().empty()) {
    const std::string name =
        std::string(base.substr(0, kGeneratedNameBytesMax - kSuffix.size())).append(kSuffix);
    put_member(metadata, kObjectMeta, "name", Value(name));
  }
  return metadata;
}

/// Adds one, wrapping around as Go's int64 does.
Value next_generation(const Value& old) {
  const std::int64_t now = old["generation"].integer().value_or(0);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(now) + 1);
}

Value updated_metadata(const Value& sent, const Value& old) {
  Value metadata = sent;
  set_namespace(metadata, old["namespace"].text());
  take_over(metadata, kObjectMeta, "generation", old);
  if (metadata["uid"].text().empty()) take_over(metadata, kObjectMeta, "uid", old);
  static constexpr Name kNames[] = {"creationTimestamp", "deletionTimestamp"};
  for (const Name& name : kNames) {
    if (!old[name].is_null()) take_over(metadata, kObjectMeta, name, old);
  }
  if (metadata["deletionGracePeriodSeconds"].is_null()) {
    take_over(metadata, kObjectMeta, "deletionGracePeriodSeconds", old);
  }
  if (metadata["resourceVersion"].text().empty()) {
    const std::string_view version = old["resourceVersion"].text();
    put_member(metadata, kObjectMeta, "resourceVersion", version.empty() ? Value("1") : Value(version));
  }
  return metadata;
}

Result<Prepared> prepare_for_create(const Value& pod, std::string_view pod_namespace, int minor) {
  if (auto refused = refuse_other_namespace(pod, pod_namespace)) return *std::move(refused);
  Prepared prepared{through_internal_type(pod)};
  Value& result = prepared.pod;
  result.set("status", new_status(result, minor));
  Value metadata = new_metadata(result["metadata"], pod_namespace);
  if (minor >= gate::kServersGeneration) put_member(metadata, kObjectMeta, "generation", 1);
  const Value labels = metadata["labels"];
  if (!metadata.same(result["metadata"])) result.set("metadata", std::move(metadata));
  Value spec = result["spec"];
  validation::drop_disabled(spec, {}, minor);
  if (minor >= gate::kMatchLabelKeysInPodAffinity) merge_affinity_keys(spec, labels);
  if (minor >= gate::kSpreadSelectorMerge) merge_spread_keys(spec, labels);
  if (!spec.same(result["spec"])) result.set("spec", std::move(spec));
  if (minor >= gate::kAppArmorFields) apply_apparmor_annotations(prepared, minor);
  return prepared;
}

Result<Value> prepare_for_update(const Value& pod, const Value& old, std::string_view subresource,
                                 int minor) {
  if (auto refused = refuse_other_namespace(pod, old["metadata"]["namespace"].text()))
    return *std::move(refused);
  const Value stored = through_internal_type(old);
  Value result = through_internal_type(pod);
  if (subresource == "ephemeralcontainers") {
    Value spec = stored["spec"];
    take_over(spec, kPodSpec, "ephemeralContainers", result["spec"]);
    if (minor < gate::kNewMetadataOfEphemeral) keep_identity_of(result, stored);
    keep_old_but(result, stored, spec);
  } else if (subresource == "resize") {
    keep_resize_only(result, stored, minor);
  } else {
    take_over(result, kPod, "status", stored);
  }
  Value spec = result["spec"];
  validation::drop_disabled(spec, stored["spec"], minor);
  if (!spec.same(result["spec"])) result.set("spec", std::move(spec));
  Value metadata = updated_metadata(result["metadata"], stored["metadata"]);
  if (minor >= gate::kServersGeneration && !semantically_equal_as(kPodSpec, result["spec"], stored["spec"])) {
    put_member(metadata, kObjectMeta, "generation", next_generation(stored["metadata"]));
  }
  result.set("metadata", std::move(metadata));
  return result;
}

}  // namespace fixpoint::apiserver
