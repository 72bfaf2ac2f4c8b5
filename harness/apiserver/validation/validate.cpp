#include "harness/apiserver/validation/validate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/sent_empties.h"
#include "harness/apiserver/validation/updates.h"

namespace fixpoint::apiserver {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// The Pod as sent that a resize stores: the old Pod with the new one's resources, or the whole new Pod if
/// the number of containers differs (dropNonResizeUpdates in pkg/registry/core/pod/strategy.go).
Value resized(const Value& pod, const Value& old, int minor) {
  for (const document::Name& list : kRunContainers) {
    if (pod["spec"][list].size() != old["spec"][list].size()) return pod;
  }
  if (minor < gate::kPodLevelResize) return old;
  Value both = old;
  Value spec = both["spec"];
  if (!spec.is_object()) spec = Value::empty_object();
  spec.set("resources", pod["spec"]["resources"]);
  if (!both.is_object()) both = Value::empty_object();
  both.set("spec", std::move(spec));
  return both;
}

/// The old Pod with the new ephemeral containers.
Value with_ephemeral_containers(const Value& pod, const Value& old) {
  Value both = old.is_object() ? old : Value::empty_object();
  Value spec = both["spec"].is_object() ? both["spec"] : Value::empty_object();
  spec.set("ephemeralContainers", pod["spec"]["ephemeralContainers"]);
  both.set("spec", std::move(spec));
  return both;
}

Value as_prepared(const Value& sent, const Value& old, std::string_view subresource, int minor) {
  if (subresource == "resize") return resized(sent, old, minor);
  return subresource == "ephemeralcontainers" ? with_ephemeral_containers(sent, old) : sent;
}

/// Returns true if the subresource rejects the old Pod with a single error and checks nothing else
/// (ValidatePodResize and ValidatePodEphemeralContainersUpdate in pkg/apis/core/validation/validation.go).
bool refuses_at_once(const Value& old, std::string_view subresource) {
  if (subresource.empty()) return false;
  const bool is_windows = old["spec"]["os"]["name"].text() == "windows";
  return validation::is_mirror(old) || (is_windows && subresource == "resize");
}

/// Returns true if there is an amount of another resource than cpu and memory that the others lack.
bool has_another(const Value& amounts, const Value& others) {
  const auto members = amounts.members();
  return std::any_of(members.begin(), members.end(), [&](const auto& member) {
    const std::string_view name = member.key.text();
    return name != "cpu" && name != "memory" && !(others[member.key.name()] == member.value);
  });
}

/// Returns true if the resources of a container, now and before, are such.
template <class Are>
bool any_resources(const Value& sent, const Value& old, const Are& are) {
  for (const document::Name& list : kRunContainers) {
    for (std::size_t i = 0; i < sent["spec"][list].size(); ++i)
      if (are(sent["spec"][list].at(i)["resources"], old["spec"][list].at(i)["resources"])) return true;
  }
  return false;
}

/// Returns true if a container's amounts other than cpu and memory differ, so that an empty list of claims is
/// not all that a resize changes beside those.
bool changes_other_amounts(const Value& sent, const Value& old) {
  return any_resources(sent, old, [](const Value& now, const Value& before) {
    const auto differs = [&](const char* kind) {
      return has_another(now[kind], before[kind]) || has_another(before[kind], now[kind]);
    };
    return differs("limits") || differs("requests");
  });
}

/// Up to 1.34 a resize may add amounts where the stored container has none at all; an explicit empty map
/// counts as some, and limits that are one make requests another (dropCPUMemoryUpdates in ValidatePodResize).
bool adds_to_empty_amounts(const Value& sent, const Value& old) {
  const auto is_empty = [](const Value& amounts) { return amounts.is_object() && amounts.empty(); };
  return any_resources(sent, old, [&](const Value& now, const Value& before) {
    const bool had_empty_requests =
        is_empty(before["requests"]) || (before["requests"].is_null() && is_empty(before["limits"]));
    const Value& requests = now["requests"].is_null() ? now["limits"] : now["requests"];
    return (had_empty_requests && has_another(requests, {})) ||
           (is_empty(before["limits"]) && has_another(now["limits"], {}));
  });
}

/// Returns true if the one error says that a Pod with pod-level resources cannot be resized.
bool is_refused_alone(const std::vector<FieldError>& errors, std::string_view subresource, int minor) {
  return subresource == "resize" && minor < gate::kPodLevelRefusalLast && errors.size() == 1 &&
         errors.front().field == validation::Path("").text();
}

}  // namespace

std::vector<FieldError> with_explicit_empties(std::vector<FieldError> errors, const Value& sent,
                                              const Value& sent_old, std::string_view subresource,
                                              int minor) {
  if (refuses_at_once(sent_old, subresource) || is_refused_alone(errors, subresource, minor)) return errors;
  std::vector<FieldError> more =
      validate_explicit_empties(as_prepared(sent, sent_old, subresource, minor), minor, sent_old);
  if (subresource == "resize" && minor < gate::kResizeOfNewResources &&
      adds_to_empty_amounts(sent, sent_old)) {
    validation::Errors added(minor);
    added.forbidden(validation::Path("spec"), validation::kResizesOnly);
    std::vector<FieldError> one = std::move(added).take_sorted();
    if (std::find(errors.begin(), errors.end(), one.front()) == errors.end()) errors.push_back(one.front());
  }
  validation::forgive_written_amounts(errors, sent["spec"]);
  validation::show_sent_empties(errors, as_prepared(sent, sent_old, subresource, minor));
  if (more.empty()) return errors;
  if (!changes_other_amounts(sent, sent_old)) {
    std::erase_if(errors, [](const FieldError& error) {
      return error.message.ends_with(validation::kResizesOnly.words());
    });
  }
  errors.insert(errors.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  validation::sort_errors(errors);
  return errors;
}

std::vector<FieldError> validate_create(const Value& prepared, int minor, const Value& passed) {
  using validation::Path;
  validation::Errors errors(minor);
  const validation::Options options = validation::make_options(prepared, {}, minor);
  validation::Context context = validation::make_context(prepared, options, errors);
  if (!passed.is_null()) {
    const bool has_same_options = validation::make_options(passed, {}, minor) == options;
    context.passed = validation::ValidatedParts(passed, prepared, has_same_options);
  }
  const Path spec_path("spec");
  validation::check_metadata_and_spec(context);
  if (!context.spec["ephemeralContainers"].empty()) {
    errors.forbidden(spec_path.child("ephemeralContainers"), validation::Text("cannot be set on create"));
  }
  if (!context.spec["nodeName"].text().empty() && !context.spec["schedulingGates"].empty()) {
    errors.forbidden(spec_path.child("nodeName"),
                     validation::Text("cannot be set until all schedulingGates have been cleared"));
  }
  validation::check_annotations_against_fields(context, spec_path);
  return std::move(errors).take_sorted();
}

Result<std::vector<FieldError>> validate_stored(const Value& prepared, const Value& old,
                                                std::string_view subresource, int minor) {
  if (old.is_null()) return validate_create(prepared, minor);
  if (subresource.empty()) return validate_update(prepared, old, minor);
  if (subresource == "ephemeralcontainers") return validate_ephemeral_containers(prepared, old, minor);
  if (subresource == "resize") return validate_resize(prepared, old, minor);
  return Error{"no such subresource: " + std::string(subresource)};
}

}  // namespace fixpoint::apiserver
