#include <algorithm>
#include <optional>
#include <string>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/plugins/tolerations.h"
#include "harness/apiserver/validation/qos.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Value;

/// Tolerations that a namespace's annotation holds as JSON text: null if it has none; empty if they cannot be
/// read.
std::optional<Value> annotated(const Request& request, const Cluster& cluster, const char* name) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  if (found == nullptr) return Value();
  const Value* text =
      (*found)["metadata"]["annotations"].find(std::string("scheduler.alpha.kubernetes.io/") + name);
  if (text == nullptr) return Value();
  if (text->text().empty()) return Value::empty_list();
  const auto read = document::read_json(text->text(), {}, document::Strictness::foreign);
  if (!read) return std::nullopt;
  if (read->is_null()) return Value::empty_list();
  const auto all = read->elements();
  const bool is_list = read->is_array() && std::all_of(all.begin(), all.end(), [](const Value& one) {
                         return one.is_object() || one.is_null();
                       });
  if (!is_list) return std::nullopt;
  return decoded_tolerations(*read);
}

bool is_best_effort_pod(const Cluster& cluster, const Value& pod) {
  const auto known = pod["status"]["qosClass"].text();
  return (known.empty() ? qos_class(pod["spec"], minor_of(cluster)) : known) == "BestEffort";
}

Refusal unreadable() { return fail("the namespace's tolerations cannot be read"); }

}  // namespace

/// plugin/pkg/admission/podtolerationrestriction Validate. Its refusal is a plain error, which has no code of
/// its own: the client gets 500.
Refusal judge_tolerations(const Request& request, const Cluster& cluster, const Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  const auto own = pod["spec"]["tolerations"].elements();
  if (own.empty()) return std::nullopt;
  const auto annotation = annotated(request, cluster, "tolerationsWhitelist");
  if (!annotation) return unreadable();
  const bool is_clusters = annotation->is_null();
  const Value whitelist =
      is_clusters ? decoded_tolerations(cluster.settings_of("PodTolerationRestriction")["whitelist"])
                  : *annotation;
  const auto all = whitelist.elements();
  const auto is_allowed = [&](const Value& toleration) {
    return std::any_of(all.begin(), all.end(), [&](const Value& wide) { return covers(wide, toleration); });
  };
  if (all.empty() || std::all_of(own.begin(), own.end(), is_allowed)) return std::nullopt;
  return fail(std::string("pod tolerations (possibly merged with namespace default tolerations) conflict "
                          "with its ") +
              (is_clusters ? "cluster" : "namespace") + " whitelist");
}

/// plugin/pkg/admission/podtolerationrestriction Admit.
Refusal pod_toleration_restriction(const Request& request, const Cluster& cluster, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  Value extra = Value::empty_list();
  if (!request.is_update()) {
    const auto annotation = annotated(request, cluster, "defaultTolerations");
    if (!annotation) return unreadable();
    extra = annotation->is_null()
                ? decoded_tolerations(cluster.settings_of("PodTolerationRestriction")["default"])
                : *annotation;
  }
  if (!is_best_effort_pod(cluster, pod)) {
    extra.push_back(
        {{"key", "node.kubernetes.io/memory-pressure"}, {"operator", "Exists"}, {"effect", "NoSchedule"}});
  }
  if (!extra.empty()) {
    Value merged = merge_tolerations(pod["spec"]["tolerations"], extra);
    if (!(merged == pod["spec"]["tolerations"])) pod.edit("spec").set("tolerations", std::move(merged));
  }
  return judge_tolerations(request, cluster, pod);
}

}  // namespace fixpoint::apiserver::plugins
