#include "generators/draw_workload.h"

#include <array>
#include <string>

#include "generators/typed_edits.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"

namespace fixpoint::generators {

namespace {

using document::Name;
using document::Value;
using runner::Choices;

bool is_of(const cases::Kind& kind, std::string_view name) { return kind.name == name; }
bool runs_jobs(const cases::Kind& kind) { return kind.group == "batch"; }

/// The spec of the Jobs that an object is or makes.
Value& job_spec(Value& object, const cases::Kind& kind) {
  Value& spec = object.edit("spec");
  return is_of(kind, "Job") ? spec : spec.edit("jobTemplate").edit("spec");
}

Value draw_amount(Choices& choices) {
  static constexpr std::array<const char*, 4> kPercentages{"25%", "50%", "100%", "1%"};
  return choices.coin() ? Value(choices.between(1, 3)) : Value(choices.pick(kPercentages));
}

/// The names that users give the labels by which a workload selects its Pods.
Value draw_selector_labels(Choices& choices) {
  static constexpr std::array<const char*, 3> kKeys{"app", "app.kubernetes.io/name", "k8s-app"};
  static constexpr std::array<const char*, 3> kValues{"web", "api", "worker"};
  return Value{{choices.pick(kKeys), choices.pick(kValues)}};
}

void draw_deployment(Choices& choices, Value& spec) {
  if (choices.coin()) spec.set("replicas", choices.between(0, 5));
  if (choices.one_in(8)) spec.set("paused", true);
  if (choices.one_in(6)) spec.set("minReadySeconds", choices.between(0, 30));
  if (choices.one_in(6)) spec.set("revisionHistoryLimit", choices.between(0, 3));
  if (choices.one_in(8)) spec.set("progressDeadlineSeconds", 120);
  if (choices.one_in(6)) {
    spec.set("strategy", {{"type", "Recreate"}});
  } else if (choices.one_in(4)) {
    spec.set("strategy",
             {{"type", "RollingUpdate"}, {"rollingUpdate", {{"maxSurge", draw_amount(choices)}}}});
  }
}

void draw_replica_set(Choices& choices, Value& spec) {
  if (choices.coin()) spec.set("replicas", choices.between(0, 5));
  if (choices.one_in(6)) spec.set("minReadySeconds", choices.between(0, 30));
}

void draw_daemon_set(Choices& choices, Value& spec) {
  if (choices.one_in(6)) spec.set("minReadySeconds", choices.between(0, 30));
  if (choices.one_in(5))
    spec.set("updateStrategy", {{"type", "OnDelete"}});
  else if (choices.one_in(4))
    spec.set("updateStrategy", {{"rollingUpdate", {{"maxUnavailable", draw_amount(choices)}}}});
}

void draw_stateful_set(Choices& choices, Value& spec) {
  spec.set("serviceName", choices.one_in(6) ? "" : "web");
  if (choices.coin()) spec.set("replicas", choices.between(0, 5));
  if (choices.one_in(5)) spec.set("podManagementPolicy", "Parallel");
  if (choices.one_in(6))
    spec.set("updateStrategy", {{"type", "OnDelete"}});
  else if (choices.one_in(6))
    spec.set("updateStrategy", {{"rollingUpdate", {{"partition", choices.between(0, 2)}}}});
  if (choices.one_in(8)) spec.set("ordinals", {{"start", 1}});
  if (choices.one_in(8)) spec.set("persistentVolumeClaimRetentionPolicy", {{"whenScaled", "Delete"}});
  if (!choices.one_in(3)) return;
  const Value claim{{"accessModes", Value::list({"ReadWriteOnce"})},
                    {"resources", {{"requests", {{"storage", "1Gi"}}}}}};
  spec.set("volumeClaimTemplates", Value::list({Value{{"metadata", {{"name", "data"}}}, {"spec", claim}}}));
  Value& containers = spec.edit("template").edit("spec").edit("containers");
  if (!containers.empty())
    containers.edit(0).edit("volumeMounts").push_back({{"name", "data"}, {"mountPath", "/var/lib/data"}});
}

void draw_job(Choices& choices, Value& spec) {
  const bool is_indexed = choices.one_in(4);
  if (is_indexed) spec.set("completionMode", "Indexed");
  if (is_indexed || choices.one_in(3)) spec.set("completions", choices.between(1, 6));
  if (choices.one_in(3)) spec.set("parallelism", choices.between(0, 6));
  if (choices.one_in(4)) spec.set("suspend", choices.coin());
  if (choices.one_in(5)) spec.set("backoffLimit", choices.between(0, 4));
  if (choices.one_in(6)) spec.set("ttlSecondsAfterFinished", 100);
  if (choices.one_in(8)) spec.set("activeDeadlineSeconds", 600);
  if (is_indexed && choices.one_in(4)) spec.set("backoffLimitPerIndex", 1);
  if (choices.one_in(12)) spec.set("managedBy", "example.io/queue");
  const Value& pod = spec["template"]["spec"];
  if (pod["restartPolicy"].text() == "Never" && choices.one_in(5)) {
    const Value codes{{"operator", "In"}, {"values", Value::list({42})}};
    spec.set("podFailurePolicy",
             {{"rules", Value::list({Value{{"action", "FailJob"}, {"onExitCodes", codes}}})}});
  }
  if (is_indexed && choices.one_in(6))
    spec.set("successPolicy", {{"rules", Value::list({Value{{"succeededIndexes", "0"}}})}});
}

void draw_cron_job(Choices& choices, Value& spec) {
  static constexpr std::array<const char*, 4> kSchedules{"*/5 * * * *", "@daily", "0 3 * * 1-5",
                                                         "15 0 1 jan,jul ?"};
  static constexpr std::array<const char*, 3> kPolicies{"Forbid", "Replace", "Allow"};
  spec.set("schedule", choices.pick(kSchedules));
  if (choices.one_in(4)) spec.set("suspend", choices.coin());
  if (choices.one_in(4)) spec.set("concurrencyPolicy", choices.pick(kPolicies));
  if (choices.one_in(6)) spec.set("timeZone", choices.coin() ? "Etc/UTC" : "Europe/Berlin");
  if (choices.one_in(6)) spec.set("startingDeadlineSeconds", 60);
  if (choices.one_in(6)) spec.set("failedJobsHistoryLimit", choices.between(0, 2));
}

/// The Pod as the template of others of its kind: what only a Pod itself has is gone.
Value template_of(Choices& choices, const cases::Kind& kind, const Value& pod) {
  Value metadata = Value::empty_object(), spec = pod["spec"];
  for (const char* member : {"labels", "annotations"})
    if (!pod["metadata"][member].empty()) metadata.set(member, pod["metadata"][member]);
  for (const char* member : {"ephemeralContainers", "restartPolicy"}) spec.remove(member);
  if (runs_jobs(kind))
    spec.set("restartPolicy", choices.coin() ? "Never" : "OnFailure");
  else
    spec.remove("activeDeadlineSeconds");
  return {{"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

void scaled(Choices& choices, const cases::Kind& kind, Value& now) {
  const int number = choices.between(0, 7);
  if (is_of(kind, "CronJob")) return now.edit("spec").set("successfulJobsHistoryLimit", number);
  if (is_of(kind, "DaemonSet")) return now.edit("spec").set("minReadySeconds", number);
  now.edit("spec").set(is_of(kind, "Job") ? "parallelism" : "replicas", number);
}

void image_changed(Choices&, const cases::Kind& kind, Value& now) {
  Value& spec = apiserver::edit_template(now, kind).edit("spec");
  if (!spec["containers"].empty()) spec.edit("containers").edit(0).set("image", "x:2");
}

void paused(Choices&, const cases::Kind& kind, Value& now) {
  const char* member = runs_jobs(kind) ? "suspend" : "paused";
  now.edit("spec").set(member, !now["spec"][member].is_true());
}

/// As `kubectl rollout restart` does.
void restarted(Choices&, const cases::Kind& kind, Value& now) {
  Value& metadata = apiserver::edit_template(now, kind).edit("metadata");
  metadata.edit("annotations").set("kubectl.kubernetes.io/restartedAt", "2026-01-01T00:00:00Z");
}

void template_changed(Choices& choices, const cases::Kind& kind, Value& now) {
  Value& spec = apiserver::edit_template(now, kind).edit("spec");
  if (choices.coin()) return spec.edit("nodeSelector").set("disk", "ssd");
  if (!spec["containers"].empty())
    spec.edit("containers").edit(0).edit("env").push_back({{"name", "NEW"}, {"value", "1"}});
}

constexpr WorkloadChange kWorkloadChanges[] = {{"scaled", scaled},
                                               {"image changed", image_changed},
                                               {"paused or resumed", paused},
                                               {"restarted", restarted},
                                               {"template changed", template_changed}};

}  // namespace

Value draw_workload(Choices& choices, const cases::Kind& kind, const Value& pod) {
  Value object{{"apiVersion", kind.api_version()},
               {"kind", kind.name},
               {"metadata", {{"name", "web"}}},
               {"spec", Value::empty_object()}};
  apiserver::edit_template(object, kind) = template_of(choices, kind, pod);
  if (runs_jobs(kind)) {
    if (is_of(kind, "CronJob")) draw_cron_job(choices, object.edit("spec"));
    draw_job(choices, job_spec(object, kind));
    return object;
  }
  Value& spec = object.edit("spec");
  const Value labels = draw_selector_labels(choices);
  spec.set("selector", {{"matchLabels", labels}});
  for (const document::Member& label : labels.members())
    apiserver::edit_template(object, kind).edit("metadata").edit("labels").set(label.key.name(), label.value);
  if (choices.coin()) object.edit("metadata").set("labels", labels);
  if (is_of(kind, "Deployment")) draw_deployment(choices, spec);
  if (is_of(kind, "ReplicaSet")) draw_replica_set(choices, spec);
  if (is_of(kind, "StatefulSet")) draw_stateful_set(choices, spec);
  if (is_of(kind, "DaemonSet")) draw_daemon_set(choices, spec);
  return object;
}

void edit_workload(Choices& choices, const cases::Kind& kind, int minor, Value& object) {
  const apiserver::Strategy& strategy = apiserver::strategy_of(kind);
  cases::Request request{.object = object};
  edit_object(request.object, *strategy.type, choices, {.minor = minor});
  if (!request.object.is_object()) return;
  request.object.set("apiVersion", kind.api_version());
  request.object.set("kind", kind.name);
  if (strategy.receive(request, kind, minor)) object = std::move(request.object);
}

std::span<const WorkloadChange> workload_changes() { return kWorkloadChanges; }

}  // namespace fixpoint::generators
