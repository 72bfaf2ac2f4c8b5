#include <optional>
#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/qos.h"
#include "harness/apiserver/validation/updates.h"

namespace fixpoint::apiserver {

namespace validation {

namespace {

constexpr const char* kLists[] = {"containers", "initContainers"};

bool has_removed(const Value& now, const Value& old) {
  if (now.size() < old.size()) return true;
  for (const Member& member : old.members()) {
    if (now.find(member.key.name()) == nullptr) return true;
  }
  return false;
}

void check_removed(const Value& now, const Value& old, const Path& path, bool is_pod, Errors& errors) {
  if (has_removed(now["requests"], old["requests"])) {
    errors.forbidden(path.child("requests"), is_pod ? Text("pod-level resource requests cannot be removed")
                                                    : Text("resource requests cannot be removed"));
  }
  if (has_removed(now["limits"], old["limits"])) {
    errors.forbidden(path.child("limits"), is_pod ? Text("pod-level resource limits cannot be removed")
                                                  : Text("resource limits cannot be removed"));
  }
}

/// The amounts with the old cpu and memory; before 1.35, nothing if the old amounts were empty.
Value with_old_amounts(const Value& now, const Value& old, int minor) {
  if (old.empty() && minor < gate::kResizeOfNewResources) return {};
  Value result = now.is_null() ? Value::empty_object() : now;
  static constexpr Name kNames[] = {"cpu", "memory"};
  for (const Name& name : kNames) {
    result.remove(name);
    if (const Value* amount = old.find(name); amount != nullptr) result.set(name, *amount);
  }
  return result;
}

/// Resources with the old cpu and memory. Claims are dropped for containers and kept for Pods.
Value with_old_resources(const Value& now, const Value& old, bool keeps_claims, int minor) {
  Value result = Value::empty_object();
  static constexpr Name kNames[] = {"limits", "requests"};
  for (const Name& list : kNames) {
    Value amounts = with_old_amounts(now[list], old[list], minor);
    if (!amounts.empty()) result.set(list, std::move(amounts));
  }
  if (keeps_claims && !now["claims"].empty()) result.set("claims", now["claims"]);
  return result;
}

bool is_resizable_node(const Value& pod) {
  for (const Value& status : pod["status"]["containerStatuses"].elements()) {
    if (!status["state"]["running"].is_null()) return !status["resources"].is_null();
  }
  return true;
}

bool has_pod_resources(const Value& spec) {
  return !spec["resources"]["requests"].empty() || !spec["resources"]["limits"].empty();
}

/// Checks changes of pod-level resources and restores the old ones in `spec`.
void check_pod_level(Context& context, Value& spec, const Value& old, const Path& path) {
  const Path resources_path = path.child("resources");
  const Value now = spec["resources"], before = old["resources"];
  if (!before.is_null() && now.is_null()) {
    return context.errors.forbidden(resources_path, Text("pod-level resources cannot be removed"));
  }
  if (!before.is_null()) check_removed(now, before, resources_path, true, context.errors);
  Value restored = with_old_resources(now, before, true, context.options.minor);
  const bool is_nothing = before.is_null() && restored.empty();
  if (is_nothing) {
    spec.remove("resources");
  } else {
    put_member(spec, kPodSpec, "resources", restored);
  }
  if (!semantically_equal_as(kResourceRequirements, is_nothing ? Value() : restored, before)) {
    context.errors.forbidden(path, Text("only cpu and memory resources are mutable at pod-level"));
  }
}

/// Returns true if both Pods have the same containers in the same order.
bool check_order(Context& context, const Value& old, const Path& path) {
  const std::size_t before = context.errors.size();
  for (const char* list : kLists) {
    const Path list_path = path.child(list);
    const Value& now = context.spec[list];
    if (now.size() != old[list].size()) {
      context.errors.forbidden(list_path, list == kLists[0]
                                              ? Text("containers may not be added or removed on resize")
                                              : Text("initContainers may not be added or removed on resize"));
      continue;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now.at(i)["name"] == old[list].at(i)["name"]) continue;
      const Path item = list_path.at(i);
      context.errors.forbidden(item.child("name"),
                               list == kLists[0]
                                   ? Text("containers may not be renamed or reordered on resize")
                                   : Text("initContainers may not be renamed or reordered on resize"));
    }
  }
  return context.errors.size() == before;
}

bool is_sidecar(const Value& container) { return container["restartPolicy"].text() == "Always"; }

/// Before 1.34, a memory limit may only be lowered or added if the resize policy restarts the container.
void check_memory_limit(Context& context, const Value& container, const Value& old, const Path& path) {
  for (const Value& policy : container["resizePolicy"].elements()) {
    if (policy["resourceName"].text() != "memory") continue;
    if (!is_one_of(policy["restartPolicy"].text(), {"", "NotRequired"})) return;
    break;
  }
  const auto limit = [](const Value& c) {
    return Quantity::parse(c["resources"]["limits"]["memory"].text());
  };
  const auto now = limit(container), before = limit(old);
  if (!now || (before && compare(*now, *before) >= 0)) return;
  const Path limits_path = path.child("limits");
  context.errors.forbidden(limits_path.key("memory"),
                           Text("memory limits cannot be decreased unless resizePolicy is RestartContainer"));
}

void check_amounts(Context& context, const Value& old, const Path& path) {
  for (const char* list : kLists) {
    const Path list_path = path.child(list);
    for (std::size_t i = 0; i < old[list].size(); ++i) {
      const bool is_init = list == kLists[1];
      const bool can_resize =
          !is_init || is_sidecar(old[list].at(i)) || context.options.minor >= gate::kInitContainerResize;
      if (!can_resize) continue;
      const Path item = list_path.at(i), resources_path = item.child("resources");
      const Value& now = context.spec[list].at(i)["resources"];
      const Value& before = old[list].at(i)["resources"];
      check_removed(now, before, resources_path, false, context.errors);
      if (context.options.minor >= gate::kMemoryLimitMayShrink) continue;
      check_memory_limit(context, context.spec[list].at(i), old[list].at(i), resources_path);
    }
  }
}

/// Restores the old cpu and memory of a container; returns true if it then equals the old container.
bool restore_container(Value& container, const Value& old, int minor) {
  put_member(container, kContainer, "resources",
             with_old_resources(container["resources"], old["resources"], false, minor));
  return semantically_equal_as(kContainer, container, old);
}

void check_init_container(Context& context, Value& container, const Value& old, const Path& spec_path,
                          const Path& path) {
  const bool is_changed = !semantically_equal_as(kContainer, container, old);
  if (!is_sidecar(container) && context.options.minor < gate::kInitContainerResize) {
    if (is_changed)
      context.errors.forbidden(spec_path, Text("resources for non-sidecar init containers are immutable"));
    return;
  }
  if (!restore_container(container, old, context.options.minor)) {
    const bool has_own_path = context.options.minor >= gate::kInitContainerResize;
    context.errors.forbidden(
        has_own_path ? path : spec_path,
        has_own_path ? Text("only cpu and memory resources for init or sidecar containers are mutable")
                     : Text("only cpu and memory resources for sidecar containers are mutable"));
  }
  if (!is_changed || is_sidecar(container)) return;
  for (const Value& policy : container["resizePolicy"].elements()) {
    if (policy["restartPolicy"].text() != "RestartContainer") continue;
    context.errors.forbidden(
        path, Text("non-sidecar init containers with a resize policy of RestartContainer cannot be resized"));
  }
}

/// Reports a change that remains after cpu and memory are restored.
void check_rest(Context& context, Value& spec, const Value& old, const Path& path) {
  for (std::size_t i = 0; i < old["containers"].size(); ++i) {
    Value container = spec["containers"].at(i);
    if (!restore_container(container, old["containers"].at(i), context.options.minor)) {
      context.errors.forbidden(path, kResizesOnly);
    }
    spec.edit("containers").edit(i) = std::move(container);
  }
  const Path init_path = path.child("initContainers");
  for (std::size_t i = 0; i < old["initContainers"].size(); ++i) {
    Value container = spec["initContainers"].at(i);
    check_init_container(context, container, old["initContainers"].at(i), path, init_path.at(i));
    spec.edit("initContainers").edit(i) = std::move(container);
  }
}

void check_resize(Context& context, const Value& pod, const Value& old) {
  const Path path("spec");
  check_same_qos(context, old, pod, path);
  if (!is_resizable_node(old))
    context.errors.forbidden(path, Text("Pod running on node without support for resize"));
  Value spec = context.spec;
  if (has_pod_resources(old["spec"]) || has_pod_resources(spec)) {
    if (context.options.minor < gate::kPodLevelResize) {
      return context.errors.forbidden(
          Path(""), Text("resize of pods with pod-level resources is forbidden when "
                         "InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled"));
    }
    check_pod_level(context, spec, old["spec"], path);
  }
  if (!old["status"]["nodeAllocatableResourceClaimStatuses"].empty()) {
    context.errors.forbidden(path, Text("pods with node allocatable resource claims cannot be resized"));
  }
  if (!check_order(context, old["spec"], path)) return;
  check_amounts(context, old["spec"], path);
  check_rest(context, spec, old["spec"], path);
  if (!context.errors.empty() || semantically_equal_as(kPodSpec, spec, old["spec"])) return;
  context.errors.forbidden(path, kResizesOnly);
}

}  // namespace

void check_same_qos(Context& context, const Value& old, const Value& pod, const Path& path) {
  const int minor = context.options.minor;
  const std::string_view before = qos_class_of(old, minor);
  if (before != qos_class(pod["spec"], minor))
    context.errors.invalid(path, pod["status"]["qosClass"].text(),
                           Text("Pod QOS Class may not change as a result of resizing"));
}

}  // namespace validation

std::vector<FieldError> validate_resize(const document::Value& prepared, const document::Value& old,
                                        int minor) {
  validation::Errors own(minor), errors(minor);
  const document::Value stored = validation::stored_pod(old);
  const validation::Options options = validation::make_options(prepared, stored, minor);
  validation::Context generic = validation::make_context(prepared, options, errors);
  const validation::Path metadata_path("metadata");
  validation::check_metadata(generic.metadata, metadata_path, validation::MetadataRules::of_all, errors);
  validation::check_metadata_update(generic.metadata, stored["metadata"], metadata_path,
                                    validation::MetadataRules::of_all, errors);
  const bool has_pod_resources =
      validation::has_pod_resources(stored["spec"]) || validation::has_pod_resources(prepared["spec"]);
  if (minor < gate::kPodLevelRefusalLast && has_pod_resources) {
    errors.forbidden(validation::Path(""),
                     validation::Text("pods with pod-level resources cannot be resized"));
    return std::move(errors).take_sorted();
  }
  const bool is_windows = stored["spec"]["os"]["name"].text() == "windows";
  if (validation::is_mirror(stored) || is_windows) {
    errors.forbidden(validation::Path(""), validation::is_mirror(stored)
                                               ? validation::Text("static pods cannot be resized")
                                               : validation::Text("windows pods cannot be resized"));
    return std::move(errors).take_sorted();
  }
  validation::Context context = validation::make_context(prepared, options, own);
  validation::check_metadata_update(context.metadata, stored["metadata"], metadata_path,
                                    validation::MetadataRules::of_pods, own);
  validation::check_metadata_and_spec(context);
  validation::check_resize(context, prepared, stored);
  errors.append(std::move(own));
  return std::move(errors).take_sorted();
}

}  // namespace fixpoint::apiserver
