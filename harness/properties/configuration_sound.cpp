#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/dispatch/match.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::ConfiguredWebhook;
using document::Name;

/// Kinds whose controllers make Pods of a template.
constexpr auto kWorkloads =
    std::to_array<std::string_view>({"Deployment.apps", "StatefulSet.apps", "DaemonSet.apps"});
constexpr const char* kSystem = "kube-system";

bool has_all(const Value& labels, const Value& selector) {
  const auto wanted = selector.members();
  return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(),
                                        [&](const auto& one) { return labels[one.key.name()] == one.value; });
}

/// Returns true if the server asks the webhook before it creates the Pod in that namespace.
bool is_asked_for(const Examination& examination, const ConfiguredWebhook& webhook, Value pod,
                  std::string_view space) {
  cases::Request request = examination.value.request;
  request.operation = "CREATE";
  request.sub_resource.clear();
  request.namespace_name = space;
  request.old_object = {};
  pod.edit("metadata").set("namespace", space);
  request.object = apiserver::default_pod(std::move(pod), apiserver::minor_of(examination.value.cluster));
  return apiserver::match(webhook, request, examination.value.cluster, request.object).answer ==
         apiserver::Match::Answer::yes;
}

/// Returns the Pod that a controller makes of a workload's template.
Value pod_of(const Value& workload) {
  const Value& made = workload["spec"]["template"];
  Value pod{{"metadata", made["metadata"]}, {"spec", made["spec"]}};
  pod.edit("metadata").set("generateName", std::string(workload["metadata"]["name"].text()) + "-");
  return pod;
}

/// Returns the workload behind the webhook's Service whose Pods the webhook must allow first; nullptr if
/// there is none.
const Value* own_workload(const Examination& examination, const ConfiguredWebhook& webhook, bool& has_any) {
  const cases::Cluster& cluster = examination.value.cluster;
  const Value& service = webhook.client["service"];
  const std::string_view space = service["namespace"].text();
  const Value* behind = cluster.find("Service", space, service["name"].text());
  if (behind == nullptr) return nullptr;
  for (const std::string_view kind : kWorkloads) {
    for (const Value* workload : cluster.of_kind(kind)) {
      const Value& labels = (*workload)["spec"]["template"]["metadata"]["labels"];
      if ((*workload)["metadata"]["namespace"].text() != space) continue;
      if (!has_all(labels, (*behind)["spec"]["selector"])) continue;
      has_any = true;
      if (is_asked_for(examination, webhook, pod_of(*workload), space)) return workload;
    }
  }
  return nullptr;
}

Violation deadlock(const ConfiguredWebhook& webhook, const Value& workload) {
  const Value& metadata = workload["metadata"];
  Violation violation{.webhook = webhook.key, .path = "failurePolicy", .value = "Fail", .shape = "own-pods"};
  violation.reason = "has failurePolicy Fail and selects the Pods of its own " +
                     std::string(workload["kind"].text()) + " " + std::string(metadata["namespace"].text()) +
                     "/" + std::string(metadata["name"].text()) +
                     ": if none of them runs, none can be created";
  return violation;
}

Judgement configuration_sound(const Examination& examination) {
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool has_any = false;
  for (const ConfiguredWebhook& webhook : examination.admission.webhooks) {
    if (!webhook.is_subject || webhook.is_policy || webhook.is_validating || webhook.ignores_failure)
      continue;
    if (webhook.client["service"].is_null()) continue;
    if (const Value* own = own_workload(examination, webhook, has_any))
      violations.push_back(deadlock(webhook, *own));
    const Value plain{{"metadata", {{"name", "fixpoint"}}},
                      {"spec", {{"containers", Value::list({minimal_container("fixpoint")})}}}};
    if (!is_asked_for(examination, webhook, plain, kSystem)) continue;
    observations.push_back({.kind = "system-selected",
                            .webhook = webhook.key,
                            .path = "namespaceSelector",
                            .reason = "has failurePolicy Fail and selects the Pods of kube-system"});
  }
  if (!violations.empty()) return judged(std::move(violations), std::move(observations));
  if (has_any) return Held{.observations = std::move(observations)};
  return Skipped{Skipped::Why::not_applicable,
                 "the cluster has no workload behind the Service of a webhook with failurePolicy Fail",
                 std::move(observations)};
}

}  // namespace

extern constinit const Property kConfigurationSound = {
    .name = "configuration-sound",
    .claim = "A webhook that must answer is not asked before its own Pods are created.",
    .is_cheap = false,
    .ask = configuration_sound,
    .applies_to = is_called,
    .explanation =
        {.example = "failurePolicy is Fail, and no selector leaves out the namespace of the webhook's own "
                    "Deployment.",
         .matters = "After a restart of the cluster the webhook cannot start, and no Pod that it selects can "
                    "be created, until somebody removes the configuration by hand.",
         .fix = "Leave out the webhook's own namespace and kube-system by a namespaceSelector on "
                "kubernetes.io/metadata.name."},
};

}  // namespace fixpoint::properties
