#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/workload_types.h"
#include "harness/apiserver/warnings/warnings.h"

// Deployments and ReplicaSets (pkg/apis/apps, pkg/registry/apps/deployment and replicaset).
namespace fixpoint::apiserver::kinds {

namespace {

constexpr Name kRollback("deprecated.deployment.rollback.to");

void default_deployment(Value& deployment, int) {
  put_default(deployment, kDeployment, {"spec", "strategy", "type"}, "RollingUpdate");
  if (deployment["spec"]["strategy"]["type"].text() != "RollingUpdate") return;
  for (const Name& member : {Name("maxUnavailable"), Name("maxSurge")})
    put_default(deployment, kDeployment, {"spec", "strategy", "rollingUpdate", member}, "25%");
}

/// Sets the annotation, or takes it away.
void set_annotation(Value& deployment, const Value& revision) {
  Value& metadata = deployment.edit("metadata");
  if (!revision.is_null()) {
    metadata.edit("annotations").set(kRollback, revision);
  } else if (metadata["annotations"].find(kRollback) != nullptr) {
    metadata.edit("annotations").remove(kRollback);
    if (metadata["annotations"].empty()) metadata.remove("annotations");
  }
}

/// The annotation stands for a field of the internal type.
std::string convert_deployment(Value& deployment) {
  const Value* revision = deployment["metadata"]["annotations"].find(kRollback);
  if (revision == nullptr) return {};
  const std::string text(revision->text());
  if (const auto number = go_atoi(text)) {
    deployment.edit("metadata").edit("annotations").set(kRollback, std::to_string(*number));
    return {};
  }
  if (!text.empty())
    return "failed to parse annotation[" + std::string(kRollback.text) + "]=" + text +
           " as int64: " + parse_int_problem(text);
  set_annotation(deployment, {});
  return {};
}

/// Controllers copy the annotations of a Deployment to its ReplicaSets.
bool has_other_annotations(const Value& deployment, const Value& old) {
  return !semantically_equal_as(kObjectMeta, {{"annotations", deployment["metadata"]["annotations"]}},
                                {{"annotations", old["metadata"]["annotations"]}});
}

void check_deployment_rolling(const Value& update, const Path& path, Errors& errors) {
  const Value &unavailable = update["maxUnavailable"], &surge = update["maxSurge"];
  const Path unavailable_path = path.child("maxUnavailable");
  check_amount(unavailable, unavailable_path, errors);
  check_amount(surge, path.child("maxSurge"), errors);
  if (number_of(unavailable) == 0 && number_of(surge) == 0) {
    const Text text("may not be 0 when `maxSurge` is 0");
    unavailable.is_string() ? errors.invalid_typed(unavailable_path, unavailable.text(), text)
                            : errors.invalid(unavailable_path, unavailable, text);
  }
  check_at_most_all(unavailable, unavailable_path, errors);
}

void check_deployment_strategy(const Value& strategy, const Path& path, Errors& errors) {
  const std::string_view type = strategy["type"].text();
  if (type == "RollingUpdate")
    return check_deployment_rolling(strategy["rollingUpdate"], path.child("rollingUpdate"), errors);
  if (type != "Recreate")
    return errors.not_supported_struct(path, strategy, kSurgeStrategyMembers, {"Recreate", "RollingUpdate"});
  if (!strategy["rollingUpdate"].is_null())
    errors.forbidden(path.child("rollingUpdate"),
                     Text("may not be specified when strategy `type` is 'Recreate'"));
}

/// Both kinds name ReplicaSets and Deployments in the texts of the other.
void check_selector_and_template(const Change& change, const Path& path, Errors& errors) {
  const Value& spec = change.spec();
  const Path selector_path = path.child("selector"), template_path = path.child("template");
  check_selector(spec["selector"], "deployment", selector_path, errors);
  if (selected(spec["selector"], spec["template"]["metadata"]["labels"]) == Selected::cannot_tell)
    return errors.invalid(selector_path, spec["selector"], Text("invalid label selector"));
  check_selected(spec, path, errors);
  validation::check_pod_template(spec["template"], change.of_template, template_path, errors);
  check_lasting_pods(spec["template"]["spec"], "ReplicaSet", template_path.child("spec"), errors);
}

void check_deployment_spec(const Change& change, Errors& errors) {
  const Value& spec = change.spec();
  const Path path("spec");
  check_not_negative(spec, {"replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"},
                     path, errors);
  check_selector_and_template(change, path, errors);
  check_deployment_strategy(spec["strategy"], path.child("strategy"), errors);
  const Value& revision = change.object["metadata"]["annotations"][kRollback];
  if (revision.text().starts_with('-'))
    errors.invalid(path.child("rollback.version"), Value::number(revision.text()),
                   Text("must be greater than or equal to 0"));
  const auto deadline = spec["progressDeadlineSeconds"].integer();
  if (deadline && *deadline <= spec["minReadySeconds"].integer().value_or(0))
    errors.invalid(path.child("progressDeadlineSeconds"), spec["progressDeadlineSeconds"],
                   Text("must be greater than minReadySeconds"));
}

void check_replica_set_spec(const Change& change, Errors& errors) {
  const Path path("spec");
  check_not_negative(change.spec(), {"replicas", "minReadySeconds"}, path, errors);
  check_selector_and_template(change, path, errors);
}

template <void (*check_spec)(const Change&, Errors&)>
void check_create(const Change& change, Errors& errors) {
  validation::check_metadata(change.object["metadata"], Path("metadata"), validation::MetadataRules::of_pods,
                             errors);
  check_spec(change, errors);
}

template <void (*check_spec)(const Change&, Errors&), bool kIsCheckedTwice>
void check_update(const Change& change, Errors& errors) {
  const Path spec_path("spec");
  if (kIsCheckedTwice && change.minor <= kLastCheckedTwice) check_create<check_spec>(change, errors);
  check_spec(change, errors);
  check_fixed(change.spec()["selector"], change.old_spec()["selector"], kLabelSelector,
              spec_path.child("selector"), errors);
}

constexpr Text kAboveReady("cannot be greater than readyReplicas");
constexpr Name kDeploymentNumbers[] = {"observedGeneration", "replicas",           "updatedReplicas",
                                       "readyReplicas",      "availableReplicas",  "unavailableReplicas",
                                       "collisionCount",     "terminatingReplicas"};
constexpr StatusRules::Limit kDeploymentLimits[] = {{"updatedReplicas", "replicas", kAboveStatusReplicas},
                                                    {"readyReplicas", "replicas", kAboveStatusReplicas},
                                                    {"availableReplicas", "replicas", kAboveStatusReplicas},
                                                    {"availableReplicas", "readyReplicas", kAboveReady}};
constexpr Name kReplicaSetNumbers[] = {"replicas",          "fullyLabeledReplicas", "readyReplicas",
                                       "availableReplicas", "observedGeneration",   "terminatingReplicas"};
constexpr StatusRules::Limit kReplicaSetLimits[] = {
    {"fullyLabeledReplicas", "replicas", kAboveStatusReplicas},
    {"readyReplicas", "replicas", kAboveStatusReplicas},
    {"availableReplicas", "replicas", kAboveStatusReplicas},
    {"availableReplicas", "readyReplicas", kAboveReady}};

void check_deployment_status(const Change& change, Errors& errors) {
  check_status_numbers(change, {kDeploymentNumbers, kDeploymentLimits}, errors);
}
void check_replica_set_status(const Change& change, Errors& errors) {
  check_status_numbers(change, {kReplicaSetNumbers, kReplicaSetLimits}, errors);
}

/// A change of the status leaves the labels of a Deployment alone.
void keep_labels(Value& deployment, const Value& old, int minor) {
  drop_terminating_replicas(deployment, old, minor);
  const Value& labels = old["metadata"]["labels"];
  if (deployment["metadata"]["labels"] == labels) return;
  deployment.edit("metadata").remove("labels");
  if (!labels.is_null()) put_at(deployment, kDeployment, kLabels, labels);
}

/// The annotation is of the spec, which an update of the status leaves alone.
void prepare_deployment_status(Value& deployment, const Value& old, int minor) {
  keep_labels(deployment, old, minor);
  set_annotation(deployment, old["metadata"]["annotations"][kRollback]);
}

void warn_of_name(const Change& change, std::vector<std::string>& warnings) {
  if (change.is_update()) return;
  for (std::string& warning : name_warnings(change.object, change.minor))
    warnings.push_back(std::move(warning));
}

}  // namespace

const TypedKind kDeployments{.type = kDeployment,
                             .template_steps = kInSpec,
                             .template_path = "spec.template",
                             .set_defaults = default_deployment,
                             .convert = convert_deployment,
                             .prepare_status = prepare_deployment_status,
                             .makes_generation = has_other_annotations,
                             .check_create = check_create<check_deployment_spec>,
                             .check_update = check_update<check_deployment_spec, false>,
                             .check_status = check_deployment_status,
                             .warn = warn_of_name};

const TypedKind kReplicaSets{.type = kReplicaSet,
                             .template_steps = kInSpec,
                             .template_path = "spec.template",
                             .prepare_status = drop_terminating_replicas,
                             .check_create = check_create<check_replica_set_spec>,
                             .check_update = check_update<check_replica_set_spec, true>,
                             .check_status = check_replica_set_status,
                             .warn = warn_of_name};

}  // namespace fixpoint::apiserver::kinds
