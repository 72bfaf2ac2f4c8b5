#include <algorithm>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/workload_types.h"
#include "harness/apiserver/warnings/warnings.h"

// StatefulSets (pkg/apis/apps, pkg/registry/apps/statefulset).
namespace fixpoint::apiserver::kinds {

namespace {

constexpr int kServiceNameSince = 33, kRevisionHistorySince = 33, kTemplateCheckedSince = 34;

void default_stateful_set(Value& set, int) {
  if (set["spec"]["updateStrategy"]["type"].text().empty()) {
    put_default(set, kStatefulSet, {"spec", "updateStrategy", "type"}, "RollingUpdate");
    put_default(set, kStatefulSet, {"spec", "updateStrategy", "rollingUpdate"}, Value::empty_object());
  }
  put_default(set, kStatefulSet, {"spec", "persistentVolumeClaimRetentionPolicy"}, Value::empty_object());
}

/// The claims of a stored set name their kind.
std::string convert_stateful_set(Value& set) {
  const Value claims = set["spec"]["volumeClaimTemplates"];
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims.at(i)["kind"].text() == "PersistentVolumeClaim" && claims.at(i)["apiVersion"].text() == "v1")
      continue;
    const Type& type = *find_field(*find_field(kStatefulSet, "spec", kNewestMinor)->type,
                                   "volumeClaimTemplates", kNewestMinor)
                            ->type;
    Value& claim = set.edit("spec").edit("volumeClaimTemplates").edit(i);
    put_member(claim, type, "kind", "PersistentVolumeClaim");
    put_member(claim, type, "apiVersion", "v1");
  }
  return {};
}

/// The feature gate MaxUnavailableStatefulSet is off in all minors.
void prepare_stateful_set(Value& set, const Value& old, int) {
  const auto update_of = [](const Value& one) -> const Value& {
    return one["spec"]["updateStrategy"]["rollingUpdate"];
  };
  if (update_of(set)["maxUnavailable"].is_null() || !update_of(old)["maxUnavailable"].is_null()) return;
  set.edit("spec").edit("updateStrategy").edit("rollingUpdate").remove("maxUnavailable");
}

/// The checks that an update need not repeat.
struct Skipped {
  bool service_name = false, template_spec = false, claims = false;
};

constexpr document::GoMember kStatefulSetRolling[] = {{"Partition", "partition", "0"},
                                                      {"MaxUnavailable", "maxUnavailable"}};
constexpr document::GoMember kStatefulSetStrategy[] = {
    {"Type", "type", "\"\""}, {"RollingUpdate", "rollingUpdate", "null", kStatefulSetRolling}};

void check_stateful_set_strategy(const Value& strategy, const Path& path, Errors& errors) {
  const std::string_view type = strategy["type"].text();
  const Value& update = strategy["rollingUpdate"];
  const Path update_path = path.child("rollingUpdate");
  if (type == "OnDelete") {
    if (!update.is_null())
      errors.invalid(update_path, update, kStatefulSetRolling,
                     Text("only allowed for updateStrategy 'RollingUpdate'"));
  } else if (type != "RollingUpdate") {
    errors.invalid(path, strategy, kStatefulSetStrategy, Text("must be 'RollingUpdate' or 'OnDelete'"));
  } else {
    check_not_negative(update, {"partition"}, update_path, errors);
    const Value& unavailable = update["maxUnavailable"];
    if (unavailable.is_null()) return;
    const Path unavailable_path = update_path.child("maxUnavailable");
    check_amount(unavailable, unavailable_path, errors);
    if (number_of(unavailable) == 0)
      errors.invalid(unavailable_path, unavailable, std::string("cannot be 0"));
    check_at_most_all(unavailable, unavailable_path, errors);
  }
}

void check_retention(const Value& retention, const Path& path, Errors& errors) {
  if (retention.is_null()) return;
  for (const char* when : {"whenDeleted", "whenScaled"})
    if (const std::string_view policy = retention[when].text(); policy != "Retain" && policy != "Delete")
      errors.not_supported(path.child(when), policy, {"Retain", "Delete"});
}

/// The template as its Pods will be: the controller sets hostname and subdomain, and adds the claims.
Value with_claims(const Value& spec) {
  Value pod_template = spec["template"];
  for (const char* member : {"subdomain", "hostname"})
    if (!pod_template["spec"][member].is_null()) pod_template.edit("spec").remove(member);
  if (spec["volumeClaimTemplates"].empty()) return pod_template;
  std::vector<Value> volumes;
  const auto is_claim = [&](const Value& volume) {
    return std::any_of(volumes.begin(), volumes.end(),
                       [&](const Value& one) { return one["name"].text() == volume["name"].text(); });
  };
  for (const Value& claim : spec["volumeClaimTemplates"].elements()) {
    const std::string_view name = claim["metadata"]["name"].text();
    Value volume{{"name", name}, {"persistentVolumeClaim", {{"claimName", name}}}};
    if (!is_claim(volume)) volumes.push_back(std::move(volume));
  }
  std::vector<Value> others;
  for (const Value& volume : pod_template["spec"]["volumes"].elements())
    if (!is_claim(volume)) others.push_back(volume);
  volumes.insert(volumes.end(), others.begin(), others.end());
  pod_template.edit("spec").set("volumes", std::move(volumes));
  return pod_template;
}

/// The labels and annotations of a template are checked twice, since it was once not checked as a whole.
void check_template(const Change& change, const Value& spec, const Skipped& skipped, const Path& path,
                    Errors& errors) {
  const Value pod_template = with_claims(spec);
  const Path template_path = path.child("template");
  if (change.minor >= kTemplateCheckedSince && !skipped.template_spec)
    validation::check_pod_template(pod_template, change.of_template, template_path, errors);
  validation::Context context = validation::make_template_context(pod_template, change.of_template, errors);
  validation::check_template_metadata(context, template_path);
}

void check_stateful_set_spec(const Change& change, const Value& spec, const Skipped& skipped,
                             Errors& errors) {
  const Path path("spec"), selector_path = path.child("selector");
  if (const std::string_view policy = spec["podManagementPolicy"].text();
      policy != "OrderedReady" && policy != "Parallel")
    errors.invalid_typed(path.child("podManagementPolicy"), policy,
                         Text("must be 'OrderedReady' or 'Parallel'"));
  check_stateful_set_strategy(spec["updateStrategy"], path.child("updateStrategy"), errors);
  check_retention(spec["persistentVolumeClaimRetentionPolicy"],
                  path.child("persistentVolumeClaimRetentionPolicy"), errors);
  const Path claims_path = path.child("volumeClaimTemplates");
  for (std::size_t i = 0; i < spec["volumeClaimTemplates"].size(); ++i) {
    if (skipped.claims || change.minor < kTemplateCheckedSince) break;
    const Path item = claims_path.at(i);
    validation::check_claim_spec(spec["volumeClaimTemplates"].at(i)["spec"], item.child("spec"), errors);
  }
  check_not_negative(spec, {"replicas", "minReadySeconds"}, path, errors);
  const Path ordinals_path = path.child("ordinals");
  check_not_negative(spec["ordinals"], {"start"}, ordinals_path, errors);
  const std::string_view service = spec["serviceName"].text();
  if (!skipped.service_name && !service.empty() && change.minor >= kServiceNameSince)
    errors.invalid(path.child("serviceName"), service, validation::check_dns_label(service));
  check_selector(spec["selector"], "statefulset", selector_path, errors);
  if (selected(spec["selector"], spec["template"]["metadata"]["labels"]) == Selected::cannot_tell) {
    errors.invalid(selector_path, spec["selector"], std::string());
  } else {
    check_selected(spec, path, errors);
    check_template(change, spec, skipped, path, errors);
  }
  check_lasting_pods(spec["template"]["spec"], "StatefulSet", path.child("template.spec"), errors);
}

void check_new_stateful_set(const Change& change, Errors& errors) {
  validation::check_metadata(change.object["metadata"], Path("metadata"),
                             validation::MetadataRules::of_stateful_sets, errors);
  check_stateful_set_spec(change, change.spec(), {}, errors);
}

constexpr Name kFree[] = {"replicas",       "ordinals",        "template",
                          "updateStrategy", "minReadySeconds", "persistentVolumeClaimRetentionPolicy"};

void check_updated_stateful_set(const Change& change, Errors& errors) {
  Skipped skipped{.service_name = true, .claims = true};
  Errors of_old(change.minor);
  check_stateful_set_spec(change, change.old_spec(), skipped, of_old);
  skipped.template_spec = !of_old.empty();
  check_stateful_set_spec(change, change.spec(), skipped, errors);
  Value spec = change.spec(), old = change.old_spec();
  for (Value* one : {&spec, &old}) {
    for (const Name& name : kFree) one->remove(name);
    if (change.minor >= kRevisionHistorySince) one->remove("revisionHistoryLimit");
  }
  if (semantically_equal_as(*find_field(kStatefulSet, "spec", kNewestMinor)->type, spec, old)) return;
  errors.forbidden(
      Path("spec"),
      change.minor >= kRevisionHistorySince
          ? Text("updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                 "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
                 "'minReadySeconds' are forbidden")
          : Text("updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                 "'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
                 "forbidden"));
}

constexpr Name kStatefulSetNumbers[] = {"replicas",        "readyReplicas",     "currentReplicas",
                                        "updatedReplicas", "availableReplicas", "observedGeneration",
                                        "collisionCount"};
constexpr StatusRules::Limit kStatefulSetLimits[] = {
    {"readyReplicas", "replicas", kAboveStatusReplicas},
    {"currentReplicas", "replicas", kAboveStatusReplicas},
    {"updatedReplicas", "replicas", kAboveStatusReplicas},
    {"availableReplicas", "replicas", kAboveStatusReplicas},
    {"availableReplicas", "readyReplicas", Text("cannot be greater than status.readyReplicas")}};

void check_stateful_set_status(const Change& change, Errors& errors) {
  check_status_numbers(change, {kStatefulSetNumbers, kStatefulSetLimits}, errors);
}

void warn_of_stateful_set(const Change& change, std::vector<std::string>& warnings) {
  const Value& spec = change.spec();
  const Path spec_path("spec"), claims_path = spec_path.child("volumeClaimTemplates");
  for (std::size_t i = 0; i < spec["volumeClaimTemplates"].size(); ++i) {
    const Path item = claims_path.at(i);
    const Value& claim = spec["volumeClaimTemplates"].at(i)["spec"];
    for (std::string& one : claim_warnings(claim, change.is_update() ? item.child("Spec") : item))
      warnings.push_back(std::move(one));
  }
  if (change.minor >= kRevisionHistorySince && spec["revisionHistoryLimit"].text().starts_with('-'))
    warnings.emplace_back(
        "spec.revisionHistoryLimit: a negative value retains all historical revisions; a "
        "value >= 0 is recommended");
}

}  // namespace

const TypedKind kStatefulSets{.type = kStatefulSet,
                              .template_steps = kInSpec,
                              .template_path = "spec.template",
                              .set_defaults = default_stateful_set,
                              .convert = convert_stateful_set,
                              .prepare = prepare_stateful_set,
                              .check_create = check_new_stateful_set,
                              .check_update = check_updated_stateful_set,
                              .check_status = check_stateful_set_status,
                              .warn = warn_of_stateful_set};

}  // namespace fixpoint::apiserver::kinds
