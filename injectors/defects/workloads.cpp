#include <string>

#include "harness/document/json.h"
#include "harness/document/named.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects of webhooks that change the templates of workloads.

/// Lets Pods restart when what they run changes: with the whole spec in the checksum, also when it is scaled.
Answer scale_in_checksum(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  const Value& checked = is_fixed ? spec["template"]["spec"] : spec;
  Value summed = checked;
  if (!is_fixed && summed["template"]["metadata"].is_object()) summed.edit("template").remove("metadata");
  const std::string sum = std::to_string(document::Name(document::write_json(document::sorted(summed))).hash);
  constexpr const char* kSum = "defects.example.io/checksum";
  if (spec["template"]["metadata"]["annotations"][kSum].text() == sum) return webhooks::allow();
  return changed(call, [&](Value& object) {
    object.edit("spec").edit("template").edit("metadata").edit("annotations").set(kSum, sum);
  });
}

/// Traces the Pods of a workload, and Pods that no workload made. The mark that it did so is on the workload,
/// where its Pods have none.
Answer workload_and_pods_traced(const Call& call, bool is_fixed) {
  const bool is_pod = call.object["kind"].text() == "Pod";
  constexpr const char* kMark = "defects.example.io/traced";
  if (!is_fixed && !call.object["metadata"]["annotations"][kMark].is_null()) return webhooks::allow();
  const Value& pod = is_pod ? call.object : call.object["spec"]["template"];
  const Value& arguments = pod["spec"]["containers"].at(0)["args"];
  if (is_fixed && arguments.at(arguments.empty() ? 0 : arguments.size() - 1).text() == "--trace")
    return webhooks::allow();
  return changed(call, [&](Value& object) {
    Value& owner = is_pod ? object : object.edit("spec").edit("template");
    if (owner["spec"]["containers"].empty()) return;
    owner.edit("spec").edit("containers").edit(0).edit("args").push_back("--trace");
    object.edit("metadata").edit("annotations").set(kMark, "yes");
  });
}

/// Gives Pods the label of their team, and takes the labels of the template with it.
Answer labels_of_template_replaced(const Call& call, bool is_fixed) {
  constexpr const char* kTeam = "defects.example.io/team";
  const Value& labels = call.object["spec"]["template"]["metadata"]["labels"];
  if (!labels[kTeam].is_null()) return webhooks::allow();
  return changed(call, [&](Value& object) {
    Value& metadata = object.edit("spec").edit("template").edit("metadata");
    Value mine = is_fixed ? labels : Value::empty_object();
    mine.set(kTeam, "a");
    metadata.set("labels", std::move(mine));
  });
}

/// Gives what a Job runs a priority, also when it is suspended or resumed: its template may not change then.
Answer template_of_a_job_changed(const Call& call, bool is_fixed) {
  if (is_fixed && call.request.is_update()) return webhooks::allow();
  const Value& pod = call.object["spec"]["template"]["spec"];
  if (!pod["terminationGracePeriodSeconds"].is_null() &&
      pod["terminationGracePeriodSeconds"].integer().value_or(0) <= 10)
    return webhooks::allow();
  return changed(call, [](Value& job) {
    job.edit("spec").edit("template").edit("spec").set("terminationGracePeriodSeconds", 10);
  });
}

/// Labels Deployments by their size, and takes 0 replicas for a number that nobody gave.
Answer stopped_deployment_started(const Call& call, bool is_fixed) {
  constexpr const char* kSize = "defects.example.io/size";
  const bool is_stopped = call.object["spec"]["replicas"].integer().value_or(1) == 0;
  const bool is_labelled = !call.object["metadata"]["labels"][kSize].is_null();
  if (is_labelled && (is_fixed || !is_stopped)) return webhooks::allow();
  return changed(call, [&](Value& object) {
    if (!is_labelled) object.edit("metadata").edit("labels").set(kSize, "small");
    if (!is_fixed && is_stopped) object.edit("spec").set("replicas", 1);
  });
}

/// Labels the Pods of CronJobs, and looks for their template where a Deployment has it.
Answer template_of_a_deployment_written(const Call& call, bool is_fixed) {
  constexpr const char* kTeam = "defects.example.io/team";
  const Value& spec = is_fixed ? call.object["spec"]["jobTemplate"]["spec"] : call.object["spec"];
  if (!spec["template"]["metadata"]["labels"][kTeam].is_null()) return webhooks::allow();
  return changed(call, [&](Value& object) {
    Value& owner = is_fixed ? object.edit("spec").edit("jobTemplate").edit("spec") : object.edit("spec");
    owner.edit("template").edit("metadata").edit("labels").set(kTeam, "a");
  });
}

/// Makes the subject one for the creation and update of such workloads.
void of_workloads(runner::Subject& subject, const char* group, const char* plural, const char* kind) {
  Value& rule = subject.configuration.edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("apiGroups", Value::list({group}));
  rule.set("resources", Value::list({plural}));
  rule.set("operations", Value::list({"CREATE", "UPDATE"}));
  subject.kinds = {{std::string(group) + "/v1", kind}};
}

void of_deployments(runner::Subject& subject) { of_workloads(subject, "apps", "deployments", "Deployment"); }
void of_jobs(runner::Subject& subject) { of_workloads(subject, "batch", "jobs", "Job"); }
void of_cron_jobs(runner::Subject& subject) { of_workloads(subject, "batch", "cronjobs", "CronJob"); }

void of_deployments_and_pods(runner::Subject& subject) {
  of_deployments(subject);
  subject.configuration.edit("webhooks")
      .edit(0)
      .edit("rules")
      .push_back({{"apiGroups", Value::list({""})},
                  {"apiVersions", Value::list({"v1"})},
                  {"operations", Value::list({"CREATE"})},
                  {"resources", Value::list({"pods"})}});
}

constexpr Defect kWorkloadDefects[] = {
    {"scale-in-checksum", "Writes a checksum into a template that changes with the number of replicas.",
     "template-stable", scale_in_checksum, of_deployments},
    {"workload-and-pods-traced", "Adds an argument to the template of a Deployment and again to its Pods.",
     "once-per-pod", workload_and_pods_traced, of_deployments_and_pods},
    {"labels-of-template-replaced", "Replaces the labels of a template, which its selector then misses.",
     "valid-spec", labels_of_template_replaced, of_deployments},
    {"template-of-a-job-changed", "Changes the template of a Job that exists, which the API server refuses.",
     "valid-spec", template_of_a_job_changed, of_jobs},
    {"stopped-deployment-started", "Starts a Deployment that somebody scaled to 0 replicas.", "explicit-kept",
     stopped_deployment_started, of_deployments},
    {"template-of-a-deployment-written", "Labels the template of a CronJob where a Deployment has its own.",
     "nothing-unknown", template_of_a_deployment_written, of_cron_jobs},
};

}  // namespace

std::span<const Defect> workload_defects() { return kWorkloadDefects; }

}  // namespace fixpoint::injectors::defects
