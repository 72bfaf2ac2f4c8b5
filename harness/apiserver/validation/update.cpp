#include <algorithm>
#include <limits>
#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/updates.h"

namespace fixpoint::apiserver {

namespace validation {

namespace {

void check_images(const Value& containers, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path item = path.at(i);
    const std::string_view image = containers.at(i)["image"].text();
    if (image.empty()) errors.required(item.child("image"));
    if (is_padded(image))
      errors.invalid(item.child("image"), image, Text("must not have leading or trailing whitespace"));
  }
}

/// Checks the containers; returns true if their numbers agree, so that they can be compared.
bool check_container_lists(const Value& spec, const Value& old, const Path& path, Errors& errors) {
  for (const Name& list : kRunContainers) {
    if (spec[list].size() != old[list].size()) {
      errors.forbidden(path.child(list.text), Text("pod updates may not add or remove containers"));
      return false;
    }
    const Path list_path = path.child(list.text);
    check_images(spec[list], list_path, errors);
  }
  return true;
}

/// Checks activeDeadlineSeconds; returns false if the remaining checks are to be skipped.
bool check_deadline(const Value& spec, const Value& old, const Path& path, Errors& errors) {
  const Value& now = spec["activeDeadlineSeconds"];
  const Value& before = old["activeDeadlineSeconds"];
  const Path deadline_path = path.child("activeDeadlineSeconds");
  if (now.is_null()) {
    if (!before.is_null())
      errors.invalid(deadline_path, now, Text("must not update from a positive integer to nil value"));
    return true;
  }
  const std::int64_t seconds = now.integer().value_or(0);
  if (seconds < 0 || seconds > std::numeric_limits<std::int32_t>::max()) {
    errors.invalid(deadline_path, now, Text("must be between 0 and 2147483647, inclusive"));
    return false;
  }
  if (!before.is_null() && before.integer().value_or(0) < seconds) {
    errors.invalid(deadline_path, now, Text("must be less than or equal to previous value"));
    return false;
  }
  return true;
}

bool is_kept(const Value& old, const Value& tolerations) {
  return std::any_of(tolerations.elements().begin(), tolerations.elements().end(),
                     [&](const Value& toleration) {
                       static constexpr Name kNames[] = {"key", "operator", "value", "effect"};
                       for (const Name& name : kNames) {
                         if (!(toleration[name] == old[name])) return false;
                       }
                       return true;
                     });
}

void check_kept_tolerations(const Value& spec, const Value& old, const Path& path, Context& context) {
  const Value& tolerations = spec["tolerations"];
  for (const Value& toleration : old["tolerations"].elements()) {
    if (is_kept(toleration, tolerations)) continue;
    return context.errors.forbidden(
        path, Text("existing toleration can not be modified except its tolerationSeconds"));
  }
  check_tolerations(tolerations, path, context.errors, context.options);
}

void check_removed_gates(const Value& gates, const Value& old, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const auto is_same = [&](const Value& gate) { return gate["name"] == gates.at(i)["name"]; };
    const auto later = gates.elements().subspan(i + 1);
    if (std::any_of(later.begin(), later.end(), is_same)) continue;
    if (std::any_of(old.elements().begin(), old.elements().end(), is_same)) continue;
    const Path item = path.at(i);
    errors.forbidden(item.child("name"), Text("only deletion is allowed, but found new scheduling gate '{}'")
                                             .with({gates.at(i)["name"].text()}));
  }
}

/// Copies a member from another spec, or removes it if it is absent there.
void take_over(Value& spec, const Name& name, const Value& from) {
  const Value* member = from.find(name);
  if (member == nullptr) {
    spec.remove(name);
  } else {
    put_member(spec, kPodSpec, name, *member);
  }
}

void check_node_selector(const Value& now, const Value& old, const Path& path, Errors& errors) {
  for (const Member& member : old.members()) {
    const Value* value = now.find(member.key.name());
    if (value != nullptr && *value == member.value) continue;
    return errors.invalid(
        path, now, Text("only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
  }
}

bool begins_with(const Value& list, const Value& old) {
  if (list.size() < old.size()) return false;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (!(list.at(i) == old.at(i))) return false;
  }
  return true;
}

bool only_grows(const Value& term, const Value& old) {
  const bool was_empty = old["matchExpressions"].empty() && old["matchFields"].empty();
  if (was_empty) return term["matchExpressions"].empty() && term["matchFields"].empty();
  return begins_with(term["matchExpressions"], old["matchExpressions"]) &&
         begins_with(term["matchFields"], old["matchFields"]);
}

constexpr document::GoMember kRequirement[] = {
    {"Key", "key", "\"\""}, {"Operator", "operator", "\"\""}, {"Values", "values"}};
constexpr document::GoMember kNodeTerm[] = {{"MatchExpressions", "matchExpressions", "null", kRequirement},
                                            {"MatchFields", "matchFields", "null", kRequirement}};

constexpr const char* kMandatory = "requiredDuringSchedulingIgnoredDuringExecution";

void check_node_affinity(const Value& now, const Value& old, const Path& path, Errors& errors) {
  const Value& terms = now[kMandatory]["nodeSelectorTerms"];
  const Value& old_terms = old[kMandatory]["nodeSelectorTerms"];
  const Path required_path = path.child(kMandatory), terms_path = required_path.child("nodeSelectorTerms");
  if (old_terms.empty()) return;
  if (terms.size() != old_terms.size())
    return errors.invalid(terms_path, terms, kNodeTerm,
                          Text("no additions/deletions to non-empty NodeSelectorTerms list are allowed"));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!only_grows(terms.at(i), old_terms.at(i)))
      errors.invalid(terms_path.at(i), terms.at(i), kNodeTerm,
                     Text("only additions are allowed (no mutations or deletions)"));
  }
}

/// Checks the members that may change while a Pod has scheduling gates, then restores the old ones.
void restore_gated(Value& spec, const Value& old, const Path& path, Errors& errors) {
  if (!(spec["nodeSelector"] == old["nodeSelector"])) {
    check_node_selector(spec["nodeSelector"], old["nodeSelector"], path.child("nodeSelector"), errors);
    take_over(spec, "nodeSelector", old);
  }
  const Value now = spec["affinity"]["nodeAffinity"], before = old["affinity"]["nodeAffinity"];
  if (semantically_equal_as(kNodeAffinity, now, before)) return;
  check_node_affinity(now, before, path.child("affinity.nodeAffinity"), errors);
  const Value& affinity = spec["affinity"];
  if (affinity.is_null()) {
    put_member(spec, kPodSpec, "affinity", Value{{"nodeAffinity", before}});
  } else if (old["affinity"].is_null() && affinity["podAffinity"].is_null() &&
             affinity["podAntiAffinity"].is_null()) {
    spec.remove("affinity");
  } else if (before.is_null()) {
    spec.edit("affinity").remove("nodeAffinity");
  } else {
    put_member(spec.edit("affinity"), kAffinity, "nodeAffinity", before);
  }
}

/// The new spec with the old values of all members that may change; reports forbidden changes of a Pod with
/// scheduling gates.
Value restored(const Value& spec, const Value& old, const Path& path, Errors& errors) {
  Value result = spec;
  for (const Name& list : kRunContainers) {
    for (std::size_t i = 0; i < spec[list].size(); ++i) {
      const Value& image = old[list].at(i)["image"];
      if (spec[list].at(i)["image"] == image) continue;
      Value& container = result.edit(list).edit(i);
      if (image.is_null()) {
        container.remove("image");
      } else {
        put_member(container, kContainer, "image", image);
      }
    }
  }
  for (const char* name : {"activeDeadlineSeconds", "schedulingGates", "tolerations"})
    take_over(result, name, old);
  if (!old["schedulingGates"].empty()) restore_gated(result, old, path, errors);
  return result;
}

void check_spec_update(Context& context, const Value& pod, const Value& stored, const Path& path) {
  const Value& spec = context.spec;
  const Value& old = stored["spec"];
  if (!check_container_lists(spec, old, path, context.errors)) return;
  if (!check_deadline(spec, old, path, context.errors)) return;
  check_kept_tolerations(spec, old, path.child("tolerations"), context);
  check_removed_gates(spec["schedulingGates"], old["schedulingGates"], path.child("schedulingGates"),
                      context.errors);
  if (semantically_equal_as(kPodSpec, spec, old)) return;
  if (context.options.minor < gate::kQosOnlyOnResize) check_same_qos(context, stored, pod, Path("metadata"));
  if (!semantically_equal_as(kPodSpec, restored(spec, old, path, context.errors), old)) {
    context.errors.forbidden(
        path,
        Text("pod updates may not change fields other than "
             "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec."
             "tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` "
             "(allow it to be set to 1 if it was previously negative)"));
  }
}

void check_ephemeral_update(Context& context, const Value& old, const Path& path) {
  const Value& now = context.spec["ephemeralContainers"];
  for (const Value& container : old["ephemeralContainers"].elements()) {
    const std::string name = document::go_quoted(container["name"].text());
    const Value* found = nullptr;
    for (const Value& other : now.elements()) {
      if (other["name"] == container["name"]) found = &other;
    }
    if (found == nullptr) {
      context.errors.forbidden(path,
                               Text("existing ephemeral containers {} may not be removed").with({name}));
    } else if (!semantically_equal_as(kEphemeralContainer, container, *found)) {
      context.errors.forbidden(path,
                               Text("existing ephemeral containers {} may not be changed").with({name}));
    }
  }
}

}  // namespace

void check_update_common(Context& context, const Value& old) {
  const Path path("metadata");
  const Value& before = old["metadata"];
  check_metadata(context.metadata, path, MetadataRules::of_all, context.errors);
  check_metadata_update(context.metadata, before, path, MetadataRules::of_all, context.errors);
  check_metadata_update(context.metadata, before, path, MetadataRules::of_pods, context.errors);
  check_metadata_and_spec(context);
}

Value stored_pod(const Value& old) {
  Value stored = through_internal_type(old);
  if (stored["metadata"]["resourceVersion"].text().empty())
    stored.edit("metadata").set("resourceVersion", "1");
  return stored;
}

bool is_mirror(const Value& pod) { return pod["metadata"]["annotations"].find(kMirrorAnnotation) != nullptr; }

}  // namespace validation

std::vector<FieldError> validate_update(const document::Value& prepared, const document::Value& old,
                                        int minor) {
  validation::Errors errors(minor);
  const document::Value stored = validation::stored_pod(old);
  const validation::Options options = validation::make_options(prepared, stored, minor);
  validation::Context context = validation::make_context(prepared, options, errors);
  const validation::Path metadata_path("metadata");
  validation::check_update_common(context, stored);
  validation::check_annotation_updates(context, stored, metadata_path.child("annotations"));
  validation::check_spec_update(context, prepared, stored, validation::Path("spec"));
  return std::move(errors).take_sorted();
}

std::vector<FieldError> validate_ephemeral_containers(const document::Value& prepared,
                                                      const document::Value& old, int minor) {
  validation::Errors errors(minor);
  const document::Value stored = validation::stored_pod(old);
  const validation::Options options = validation::make_options(prepared, stored, minor);
  validation::Context context = validation::make_context(prepared, options, errors);
  const validation::Path metadata_path("metadata"), spec_path("spec");
  validation::check_metadata(context.metadata, metadata_path, validation::MetadataRules::of_all, errors);
  validation::check_metadata_update(context.metadata, stored["metadata"], metadata_path,
                                    validation::MetadataRules::of_all, errors);
  if (validation::is_mirror(stored)) {
    errors.forbidden(validation::Path(""),
                     validation::Text("static pods do not support ephemeral containers"));
    return std::move(errors).take_sorted();
  }
  validation::check_metadata_update(context.metadata, stored["metadata"], metadata_path,
                                    validation::MetadataRules::of_pods, errors);
  validation::check_metadata_and_spec(context);
  validation::check_annotation_updates(context, stored, metadata_path.child("annotations"));
  validation::check_ephemeral_update(context, stored["spec"], spec_path.child("ephemeralContainers"));
  return std::move(errors).take_sorted();
}

}  // namespace fixpoint::apiserver
