#include <utility>

#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver {

namespace validation {

namespace {

/// Returns true if the value is an explicit empty list or map.
bool is_empty(const Value& value) { return (value.is_array() || value.is_object()) && value.empty(); }

/// The gated fields that the server keeps: those of its minor, and those that the stored Pod uses.
struct KeptFields {
  bool claims = false, restart_rules = false;
};

void check_ephemeral_container(const Value& container, int minor, const KeptFields& kept, const Path& path,
                               Errors& errors) {
  constexpr Text kDetail("cannot be set for an Ephemeral Container");
  struct Row {
    const char* name;
    bool is_kept;
  };
  const Row lists[] = {{"ports", true},
                       {"resizePolicy", minor >= gate::kInPlaceResize},
                       {"restartPolicyRules", kept.restart_rules}};
  for (const Row& row : lists) {
    if (row.is_kept && is_empty(container[row.name])) errors.forbidden(path.child(row.name), kDetail);
  }
  const Value& resources = container["resources"];
  const bool has_empty = is_empty(resources["limits"]) || is_empty(resources["requests"]) ||
                         (kept.claims && is_empty(resources["claims"]));
  const bool has_any = !resources["limits"].empty() || !resources["requests"].empty() ||
                       (kept.claims && !resources["claims"].empty());
  if (has_empty && !has_any) errors.forbidden(path.child("resources"), kDetail);
}

/// The metadata of an ephemeral volume's claim may have labels and annotations only, whether its other
/// members are empty or not (validateFieldAllowList in pkg/apis/core/validation/validation.go). A volume with
/// an earlier source is not checked.
void check_claim_template_metadata(const Value& volume, const Path& path, Errors& errors) {
  for (const Member& member : volume.members()) {
    const bool may_be_beside = is_one_of(member.key.text(), {"name", "ephemeral", "image"});
    if (!may_be_beside && member.value.is_object()) return;
  }
  static constexpr Name kNames[] = {"ownerReferences", "finalizers", "managedFields"};
  const Path metadata_path = path.child("ephemeral.volumeClaimTemplate.metadata");
  const Value& metadata = volume["ephemeral"]["volumeClaimTemplate"]["metadata"];
  for (const Name& name : kNames) {
    if (is_empty(metadata[name])) errors.forbidden(metadata_path.child(name.text), Text("cannot be set"));
  }
}

/// An extended resource must be a whole number, which the server tests in thousandths that may overflow. A
/// number that is written out, 10000000000000000, does; its canonical form, 10P, does not.
void check_written_amount(const Member& resource, const Path& path, Errors& errors) {
  if (resource.key.text().find('/') == std::string_view::npos) return;
  std::string_view text = resource.value.text();
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string buffer;
  const auto canonical = canonical_quantity(text, buffer);
  if (!canonical || *canonical == text) return;
  Errors as_written, as_canonical;
  check_quantity(resource.key.text(), Value(text), path, as_written);
  check_quantity(resource.key.text(), Value(*canonical), path, as_canonical);
  if (as_written.empty() || !as_canonical.empty()) return;
  const auto shown = canonical_quantity(resource.value.text(), buffer);
  errors.invalid(path, shown.value_or(resource.value.text()), Text("must be an integer"));
}

/// Requests that are absent become those of the limits.
void check_written_amounts(const Value& containers, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path container_path = path.at(i), resources_path = container_path.child("resources");
    const Path limits_path = resources_path.child("limits"), requests_path = resources_path.child("requests");
    const Value& resources = containers.at(i)["resources"];
    for (const Member& limit : resources["limits"].members()) {
      check_written_amount(limit, limits_path.key(limit.key.text()), errors);
      if (resources["requests"].find(limit.key.name()) == nullptr)
        check_written_amount(limit, requests_path.key(limit.key.text()), errors);
    }
    for (const Member& request : resources["requests"].members())
      check_written_amount(request, requests_path.key(request.key.text()), errors);
  }
}

}  // namespace

}  // namespace validation

std::vector<FieldError> validate_explicit_empties(const document::Value& sent, int minor,
                                                  const document::Value& sent_old) {
  using validation::Path;
  validation::Errors errors(minor);
  const document::Value& spec = sent["spec"];
  const Path spec_path("spec"), containers_path = spec_path.child("ephemeralContainers");
  const validation::KeptFields kept{
      .claims = minor >= gate::kDynamicResources || !sent_old["spec"]["resourceClaims"].empty(),
      .restart_rules =
          minor >= gate::kContainerRestartRules ||
          (minor >= gate::kRestartPolicyOfContainers && validation::uses_restart_rules(sent_old["spec"]))};
  for (std::size_t i = 0; i < spec["ephemeralContainers"].size(); ++i) {
    const document::Value& container = spec["ephemeralContainers"].at(i);
    validation::check_ephemeral_container(container, minor, kept, containers_path.at(i), errors);
  }
  const Path volumes_path = spec_path.child("volumes");
  for (std::size_t i = 0; i < spec["volumes"].size(); ++i) {
    validation::check_claim_template_metadata(spec["volumes"].at(i), volumes_path.at(i), errors);
  }
  for (const char* list : {"containers", "initContainers"})
    validation::check_written_amounts(spec[list], spec_path.child(list), errors);
  const bool is_windows = spec["os"]["name"].text() == "windows";
  if (minor >= gate::kPodLevelResources && !is_windows && validation::is_empty(spec["resources"]["claims"])) {
    errors.forbidden(spec_path.child("resources.claims"),
                     validation::Text("claims may not be set for Resources at pod-level"));
  }
  if (is_windows && validation::is_empty(spec["securityContext"]["supplementalGroups"])) {
    errors.forbidden(spec_path.child("securityContext.supplementalGroups"),
                     validation::Text("cannot be set for a windows pod"));
  }
  return std::move(errors).take_sorted();
}

}  // namespace fixpoint::apiserver
