#include <string>

#include "harness/apiserver/plugins/amounts.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/plugins/tolerations.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using document::Text;

using cases::Cluster;
using cases::Request;
using document::Member;
using document::Value;

bool same_quantities(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (const Member& member : a.members()) {
    const Value* other = b.find(member.key.name());
    if (other == nullptr) return false;
    const auto left = Quantity::parse(member.value.text()), right = Quantity::parse(other->text());
    if (!left || !right || !(*left == *right)) return false;
  }
  return true;
}

/// The overhead of a RuntimeClass as the server holds it.
Value fixed_overhead(const Value& runtime_class) {
  Value fixed = Value::empty_object();
  add_missing(fixed, runtime_class["overhead"]["podFixed"], Amounts::kept);
  return fixed;
}

}  // namespace

/// validateOverhead in plugin/pkg/admission/runtimeclass.
Refusal judge_overhead(const Request& request, const Cluster& cluster, const Value& pod) {
  const Value& class_name = pod["spec"]["runtimeClassName"];
  const Value& own = pod["spec"]["overhead"];
  const Value* found = nullptr;
  if (!class_name.is_null()) {
    const std::string name(class_name.text());
    found = cluster.find("RuntimeClass.node.k8s.io", "", name);
    if (found == nullptr)
      return forbid(request, pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
  }
  if (found != nullptr && !(*found)["overhead"].is_null()) {
    if (same_quantities(own, fixed_overhead(*found))) return std::nullopt;
    return forbid(request, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  if (own.is_null()) return std::nullopt;
  return forbid(request, pod,
                "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
}

Refusal runtime_class(const Request& request, const Cluster& cluster, Value& pod) {
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  if (pod["spec"]["runtimeClassName"].is_null()) return std::nullopt;
  const std::string name(pod["spec"]["runtimeClassName"].text());
  if (name.empty()) return fail(Text("resource name may not be empty").with({}));
  const Value* found = cluster.find("RuntimeClass.node.k8s.io", "", name);
  if (found == nullptr)
    return forbid(request, pod,
                  Text("pod rejected: RuntimeClass {} not found").with({document::go_quoted(name)}));
  if (!(*found)["overhead"].is_null()) {
    Value fixed = fixed_overhead(*found);
    const Value& own = pod["spec"]["overhead"];
    if (!own.empty() && !same_quantities(own, fixed)) {
      return forbid(
          request, pod,
          std::string(
              Text("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead").words()));
    }
    if (fixed.empty()) {
      pod.edit("spec").remove("overhead");
    } else {
      pod.edit("spec").set("overhead", std::move(fixed));
    }
  }
  const Value& scheduling = (*found)["scheduling"];
  if (scheduling.is_null()) return std::nullopt;
  for (const Member& member : scheduling["nodeSelector"].members()) {
    const Value* own = pod["spec"]["nodeSelector"].find(member.key.name());
    if (own != nullptr && own->text() != member.value.text()) {
      return forbid(
          request, pod,
          Text("conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; pod.spec.nodeSelector[{}] = {}")
              .with({member.key.text(), member.value.text(), member.key.text(), own->text()}));
    }
    pod.edit("spec").edit("nodeSelector").set(member.key.name(), member.value);
  }
  Value merged =
      merge_tolerations(pod["spec"]["tolerations"], decoded_tolerations(scheduling["tolerations"]));
  if (!(merged == pod["spec"]["tolerations"]) && !(merged.empty() && pod["spec"]["tolerations"].empty())) {
    pod.edit("spec").set("tolerations", std::move(merged));
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
