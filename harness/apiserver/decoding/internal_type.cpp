#include "harness/apiserver/decoding/internal_type.h"

#include <string_view>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/status_types.h"

namespace fixpoint::apiserver {

namespace {

using document::Name;
using document::Value;

constexpr Name kInitContainerAnnotations[] = {
    "pod.alpha.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.beta.kubernetes.io/init-containers",
};

void drop_annotations(Value& owner) {
  const Value annotations = owner["metadata"]["annotations"];
  if (annotations.empty()) return;
  for (const Name& name : kInitContainerAnnotations) {
    if (annotations.find(name) == nullptr) continue;
    Value& metadata = owner.edit("metadata");
    metadata.edit("annotations").remove(name);
    if (metadata["annotations"].empty()) metadata.remove("annotations");
  }
}

void match_service_account(Value& owner) {
  const Value& spec = owner["spec"];
  const Value* name = spec.find("serviceAccountName");
  const Value* alias = spec.find("serviceAccount");
  if ((name == nullptr) == (alias == nullptr) && (name == nullptr || *name == *alias)) return;
  const Value wanted = name != nullptr ? *name : *alias;
  Value& changed = owner.edit("spec");
  put_member(changed, kPodSpec, "serviceAccountName", wanted);
  put_member(changed, kPodSpec, "serviceAccount", wanted);
}

/// Makes podIP and the first of podIPs equal: a podIP that is set replaces podIPs, otherwise the first of
/// podIPs becomes podIP.
void match_pod_ip(Value& pod) {
  const Value& status = pod["status"];
  const Value ip = status["podIP"];
  const Value first = status["podIPs"].at(0)["ip"];
  if (ip.text().empty() ? first.text().empty() : first == ip) return;
  Value& changed = pod.edit("status");
  if (ip.text().empty()) {
    put_member(changed, kPodStatus, "podIP", first);
  } else {
    put_member(changed, kPodStatus, "podIPs", Value::list({Value{{"ip", ip}}}));
  }
}

}  // namespace

Value through_internal_type(const Value& pod) {
  Value result = pod;
  if (result["kind"].text() != "Pod") put_member(result, kPod, "kind", "Pod");
  if (result["apiVersion"].text() != "v1") put_member(result, kPod, "apiVersion", "v1");
  const Value& grace = result["spec"]["terminationGracePeriodSeconds"];
  if (grace.text().starts_with('-'))
    put_member(result.edit("spec"), kPodSpec, "terminationGracePeriodSeconds", 1);
  template_through_internal_type(result);
  match_pod_ip(result);
  return result;
}

void template_through_internal_type(Value& owner) {
  drop_annotations(owner);
  match_service_account(owner);
  if (owner["spec"]["securityContext"].is_null()) {
    put_member(owner.edit("spec"), kPodSpec, "securityContext", Value::empty_object());
  }
}

}  // namespace fixpoint::apiserver
