#include "harness/apiserver/judges/validating_phase.h"

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Validating;
using document::Value;
using validating::JudgedPod;
using validating::Judgement;
using validating::Said;

constexpr int kNodeJudges = 36;  ///< the minor since which a node is asked about changes of its Pods

Judgement ask_plugin(plugins::Refusal (*judge)(const Request&, const Cluster&, const Value&),
                     const JudgedPod& judged) {
  return validating::from_plugin(judge(judged.request, judged.cluster, judged.pod));
}

bool is_on_node(const JudgedPod& judged) {
  return judged.minor >= kNodeJudges && judged.request.is_update() &&
         !judged.pod["spec"]["nodeName"].text().empty();
}

/// One judge. It is asked if the Case switches its plugin on, or if that is always on, and if it is
/// concerned.
struct Judge {
  std::string_view plugin;
  bool is_always_on;
  bool is_of_pods;  ///< asked about Pods alone
  bool (*concerns)(const JudgedPod&);
  Judgement (*judge)(const JudgedPod&, Said& said);
};

/// In the server's own order (pkg/kubeapiserver/options/plugins.go).
constexpr Judge kJudges[] = {
    {"LimitRanger", false, true,
        [](const JudgedPod& judged) { return judged.cluster.has_kind("LimitRange"); },
     [](const JudgedPod& judged, Said&) { return validating::judge_limit_ranges(judged); }},
    {"ServiceAccount", false, true, [](const JudgedPod&) { return true; },
     [](const JudgedPod& judged, Said&) { return ask_plugin(plugins::judge_service_account, judged); }},
    {"AlwaysPullImages", false, true, [](const JudgedPod&) { return true; },
     [](const JudgedPod& judged, Said&) { return validating::judge_image_pulls(judged); }},
    {"PodSecurity", true, true, validating::has_security_labels,
     [](const JudgedPod& judged, Said& said) {
       return validating::judge_pod_security(judged, said.warnings);
     }},
    {"PodNodeSelector", false, true, [](const JudgedPod& judged) { return judged.is_create(); },
     [](const JudgedPod& judged, Said&) { return ask_plugin(plugins::judge_node_selector, judged); }},
    {"PodTolerationRestriction", false, true, [](const JudgedPod&) { return true; },
     [](const JudgedPod& judged, Said&) { return ask_plugin(plugins::judge_tolerations, judged); }},
    {"RuntimeClass", false, true, [](const JudgedPod& judged) { return judged.is_create(); },
     [](const JudgedPod& judged, Said&) { return ask_plugin(plugins::judge_overhead, judged); }},
    {"NodeDeclaredFeatureValidator", true, true, is_on_node,
     [](const JudgedPod& judged, Said&) { return validating::judge_declared_features(judged); }},
    {"PodResizeValidator", true, true,
     [](const JudgedPod& judged) { return judged.is_resize() && is_on_node(judged); },
     [](const JudgedPod& judged, Said&) { return validating::judge_resize(judged); }},
    {"ValidatingAdmissionPolicy", true, false,
     [](const JudgedPod& judged) { return judged.cluster.has_kind(cases::kValidatingPolicy); },
     validating::judge_by_policies},
    {"ValidatingAdmissionWebhook", true, false,
     [](const JudgedPod& judged) { return !judged.validators.webhooks.empty(); },
     validating::judge_by_webhooks},
    {"ResourceQuota", true, true,
        [](const JudgedPod& judged) { return judged.cluster.has_kind("ResourceQuota"); },
     [](const JudgedPod& judged, Said&) { return validating::judge_resource_quotas(judged); }},
};

}  // namespace

namespace validating {

Judgement from_plugin(const std::optional<cases::Status>& status) {
  if (!status) return std::nullopt;
  constexpr std::string_view kForbidden = "\" is forbidden: ";
  const std::size_t words = status->message.find(kForbidden);
  const bool has_prefix = status->message.starts_with("pods \"") && words != std::string::npos;
  return Refused{
      .code = status->code,
      .messages = {has_prefix ? status->message.substr(words + kForbidden.size()) : status->message}};
}

}  // namespace validating

Validating judge_stored(const Request& request, const Cluster& cluster, const Value& pod,
                        const Value& old_pod, int minor, std::vector<std::string>& warnings,
                        const Validators& validators) {
  const JudgedPod judged{.request = request,
                         .cluster = cluster,
                         .pod = pod,
                         .old_pod = old_pod,
                         .minor = minor,
                         .validators = validators};
  Validating answer;
  Said said{.warnings = warnings, .record = answer};
  const bool is_pod = cases::kind_of(request, cluster).is_pod();
  for (const Judge& row : kJudges) {
    if (row.is_of_pods && !is_pod) continue;
    if (!row.is_always_on && !cluster.has_plugin(row.plugin)) continue;
    if (!row.concerns(judged)) continue;
    auto refused = row.judge(judged, said);
    if (!refused) continue;
    answer.code = refused->code;
    for (std::string& message : refused->messages)
      answer.causes.push_back({.plugin = std::string(row.plugin), .message = std::move(message)});
    break;
  }
  return answer;
}

}  // namespace fixpoint::apiserver
