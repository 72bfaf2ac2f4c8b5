#include <algorithm>
#include <string>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/plugins/tolerations.h"
#include "harness/apiserver/validation/qos.h"
#include "harness/cases/minors.h"
#include "harness/document/json.h"
#include "harness/document/result.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Value;

/// Tolerations that a namespace's annotation holds as JSON text: null if it has none; an error in the
/// server's words if they cannot be read, but for a text that is no JSON.
document::Result<Value> annotated(const Request& request, const Cluster& cluster, const char* name) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  if (found == nullptr) return Value();
  const Value* text =
      (*found)["metadata"]["annotations"].find(std::string("scheduler.alpha.kubernetes.io/") + name);
  if (text == nullptr) return Value();
  if (text->text().empty()) return Value::empty_list();
  const auto read = document::read_json(text->text(), {}, document::Strictness::foreign);
  if (!read) return document::Error{"the namespace's tolerations are no JSON"};
  if (read->is_null()) return Value::empty_list();
  if (!read->is_array()) {
    return document::Error{document::Text("json: cannot unmarshal {} into Go value of type []v1.Toleration")
                               .with({document::go_kind(*read)})};
  }
  const auto all = read->elements();
  if (!std::all_of(all.begin(), all.end(), [](const Value& one) { return one.is_object() || one.is_null(); }))
    return document::Error{"the namespace's tolerations are no objects"};
  return decoded_tolerations(*read);
}

}  // namespace

/// plugin/pkg/admission/podtolerationrestriction Validate. Its refusal is a plain error, which has no code of
/// its own: the client gets 500.
Refusal judge_tolerations(const Request& request, const Cluster& cluster, const Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  const auto own = pod["spec"]["tolerations"].elements();
  if (own.empty()) return std::nullopt;
  const auto annotation = annotated(request, cluster, "tolerationsWhitelist");
  if (!annotation) return fail(annotation.error().message);
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
    if (!annotation) return fail(annotation.error().message);
    extra = annotation->is_null()
                ? decoded_tolerations(cluster.settings_of("PodTolerationRestriction")["default"])
                : *annotation;
  }
  if (qos_class_of(pod, cases::minor_of(cluster)) != "BestEffort") {
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
