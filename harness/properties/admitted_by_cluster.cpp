#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/judges/pod_security_checks.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/drawn_objects.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/spellings.h"
#include "harness/properties/tested_validators.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using cases::Validating;

/// The plugin that calls validating webhooks.
constexpr std::string_view kOfPolicies = "ValidatingAdmissionPolicy";
constexpr std::string_view kOfWebhooks = "ValidatingAdmissionWebhook";

bool is_of_namespace(const Value& object, const cases::Request& request) {
  return object["metadata"]["namespace"].text() == request.namespace_name;
}

/// Returns the object by which the plugin judges Pods of the request's namespace; nullptr if there is none. A
/// user's own object comes before one that was only drawn.
const Value* ground_of(std::string_view plugin, const cases::Case& value) {
  const cases::Cluster& cluster = value.cluster;
  const bool judges_any_kind = plugin == kOfPolicies || plugin == kOfWebhooks;
  if (!judges_any_kind && !cases::kind_of(value.request, cluster).is_pod()) return nullptr;
  if (plugin == "PodSecurity") {
    const Value* space = cluster.find("Namespace", "", value.request.namespace_name);
    const bool is_asked =
        space != nullptr && apiserver::validating::has_security_labels((*space)["metadata"]["labels"]);
    return is_asked ? space : nullptr;
  }
  if (plugin == kOfPolicies) {
    const auto policies = cluster.of_kind(cases::kValidatingPolicy);
    return policies.empty() ? nullptr : policies.front();
  }
  if (plugin == kOfWebhooks) {
    const auto called = cases::called_validators(value);
    return called.empty() ? nullptr : called.front();
  }
  const char* kind = plugin == "LimitRanger" ? "LimitRange" : "ResourceQuota";
  if (plugin == "LimitRanger" && !cluster.has_plugin(plugin)) return nullptr;
  const Value* found = nullptr;
  if (!cluster.has_kind(kind)) return nullptr;
  for (const Value* object : cluster.of_kind(kind)) {
    if (!is_of_namespace(*object, value.request)) continue;
    if (found == nullptr || !is_drawn(*object)) found = object;
  }
  return found;
}

constexpr std::string_view kPlugins[] = {"LimitRanger", "PodSecurity", "ResourceQuota", kOfPolicies,
                                         kOfWebhooks};

/// The first call after which the cluster refuses the Pod; else the last one that changed it.
const CallEvent* refusing_call(const Examination& examination) {
  const CallEvent* last = nullptr;
  for (const CallEvent& event : examination.admission.calls) {
    if (!event.left_another()) continue;
    last = &event;
    const auto verdict = verdict_on(examination, event.result.after);
    if (verdict && verdict->refuses()) return last;
  }
  return last;
}

/// Returns the Pods without a setting of the user's: with another value of its key, or, unless it is a
/// switch, without the key.
std::vector<Value> pods_without(const Value& pod, const char* map, const document::Member& setting) {
  std::vector<Value> pods(switch_words(setting.value.text()) ? 1 : 2, pod);
  pods[0].edit("metadata").edit(document::Name(map)).set(setting.key.name(), "fixpoint");
  if (pods.size() > 1) pods[1].edit("metadata").edit(document::Name(map)).remove(setting.key.name());
  return pods;
}

/// Returns an observation if the user asks by the value of an annotation or a label for what the cluster
/// refuses: without it the webhook acts, too, and the cluster admits the Pod.
std::optional<Observation> asked_for(const Examination& examination, const CallEvent& event,
                                     const Validating::Cause& cause) {
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
  for (const char* map : {"annotations", "labels"}) {
    for (const auto& one : event.before["metadata"][document::Name(map)].members()) {
      const auto is_admitted = [&](const Value& pod) {
        if (!is_called(examination, webhook, pod)) return false;
        const auto result = call_afresh(examination, webhook, pod);
        if (!went_well(result) || result.after == pod) return false;
        const auto verdict = verdict_on(examination, result.after);
        return verdict && !verdict->refuses();
      };
      if (std::ranges::none_of(pods_without(event.before, map, one), is_admitted)) continue;
      const std::string path = member_path(std::string("metadata.") + map, one.key.text());
      return Observation{.kind = "asked-for",
                         .webhook = webhook.key,
                         .path = path,
                         .reason = "does what " + path + " asks for, and " + cause.plugin +
                                   " refuses the Pod for it: " + cause.message};
    }
  }
  return std::nullopt;
}

/// Returns the first of the call's changes that alone makes the author's own judge refuse the object; empty
/// if none does.
std::string judged_change(const Examination& examination, const CallEvent& event, std::string_view plugin) {
  if (plugin != kOfPolicies && plugin != kOfWebhooks) return {};
  const auto is_refused = [&](const Value& object) {
    const auto verdict = verdict_on(examination, object);
    return verdict && verdict->refuses();
  };
  const auto paths = refused_changes(event.before, event.result, is_refused);
  return paths.empty() ? std::string() : paths.front();
}

Violation refused_object(const Examination& examination, const CallEvent& event, const Validating& verdict) {
  const auto& cause = verdict.causes.front();
  const cases::Request& request = examination.value.request;
  const bool updates_stored_object =
      request.is_update() && !cases::kind_of(request, examination.value.cluster).is_pod();
  const Value* ground = ground_of(cause.plugin, examination.value);
  Violation violation{
      .severity = ground == nullptr || is_drawn(*ground) ? Severity::warning : Severity::error,
      .path = "allowed"};
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.value = cause.plugin;
  violation.shape = "validating:" + cause.plugin;
  violation.reason = "the cluster admits the " + std::string(request.object["kind"].text()) +
                     " without the webhooks, and with them " + cause.plugin + " refuses it: " + cause.message;
  if (const std::string path = judged_change(examination, event, cause.plugin); !path.empty()) {
    violation.path = path;
    violation.value = at_path(event.result.after, path);
    // old-objects-live tells the same of an update that changes nothing.
    violation.symptom = updates_stored_object ? "old-objects-live" : "refused-by-judge";
    violation.shape += ":" + shape_of(path, event.result.after, event.result);
    violation.reason += "; " + path + " alone, which the call changed, leads to it";
  }
  return violation;
}

Judgement admitted_by_cluster(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  const bool is_judged = std::any_of(std::begin(kPlugins), std::end(kPlugins), [&](std::string_view plugin) {
    return ground_of(plugin, examination.value) != nullptr;
  });
  if (!is_judged)
    return not_applicable(
        "the cluster has no LimitRange, quota, level or validating webhook that judges the Pod");
  if (!admission.validating) return not_reached("the Pod was refused before the cluster judged it");
  if (admission.calls.empty()) return not_applicable("no webhook was called");
  if (!admission.validating->refuses()) return Held{};
  const Validating::Cause& cause = admission.validating->causes.front();
  if (cause.plugin == kOfWebhooks && cause.message.starts_with("Internal error occurred: "))
    return not_reached("the call of a validating webhook failed");
  const CallEvent* event = refusing_call(examination);
  if (event == nullptr || ground_of(cause.plugin, examination.value) == nullptr)
    return not_reached("no webhook's change is judged");
  const auto without = verdict_on(examination, admission.first);
  if (!without || without->refuses())
    return not_reached("the cluster refuses the Pod without the webhooks, too");
  if (auto asked = asked_for(examination, *event, cause)) return Held{.observations = {*std::move(asked)}};
  return judged({refused_object(examination, *event, *admission.validating)});
}

}  // namespace

extern constinit const Property kAdmittedByCluster = {
    .name = "admitted-by-cluster",
    .claim = "A Pod that the cluster admits without the webhooks is admitted with them.",
    .is_cheap = true,
    .ask = admitted_by_cluster,
    .takes_any_kind = true,
    .symptom = "refused-by-cluster",
    .explanation =
        {.example = "A sidecar takes the Pod over the maximum of a LimitRange, or asks for privileges in a "
                    "namespace of the level baseline.",
         .matters = "Creation fails with 403 after all webhooks, for a Pod that was right, and the message "
                    "speaks of a container that the user never wrote.",
         .fix = "Give what is injected requests, limits and a securityContext that restricted namespaces "
                "admit, or leave such namespaces out."},
};

}  // namespace fixpoint::properties
