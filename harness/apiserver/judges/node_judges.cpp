#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/judges/pod_totals.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Value;

/// The server counts the generation up only where the spec changes.
bool has_changed(const JudgedPod& judged) {
  const auto generation = [](const Value& pod) {
    return pod["metadata"]["generation"].integer().value_or(0);
  };
  return generation(judged.pod) != generation(judged.old_pod);
}

const Value* node_of(const JudgedPod& judged) {
  return judged.cluster.find("Node", "", judged.pod["spec"]["nodeName"].text());
}

Judgement no_node(const JudgedPod& judged) {
  return forbidden("node \"" + std::string(judged.pod["spec"]["nodeName"].text()) + "\" not found");
}

bool changes_pod_level_resources(const JudgedPod& judged) {
  return !(judged.pod["spec"]["resources"] == judged.old_pod["spec"]["resources"]);
}

bool changes_init_container(const JudgedPod& judged) {
  const Value &now = judged.pod["spec"]["initContainers"], &then = judged.old_pod["spec"]["initContainers"];
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (then.at(i)["restartPolicy"].text() == "Always") continue;
    if (!(then.at(i)["resources"] == now.at(i)["resources"])) return true;
  }
  return false;
}

/// Features that a change of a Pod may need of its node, by name
/// (k8s.io/component-helpers/nodedeclaredfeatures/features).
struct Feature {
  std::string_view name;
  bool (*is_needed)(const JudgedPod&);
};
constexpr Feature kFeatures[] = {
    {"InPlacePodLevelResourcesVerticalScaling", changes_pod_level_resources},
    {"InPlacePodVerticalScalingInitContainers", changes_init_container},
};

bool declares(const Value& node, std::string_view feature) {
  for (const Value& one : node["status"]["declaredFeatures"].elements()) {
    if (one.text() == feature) return true;
  }
  return false;
}

/// "cpu, requested: 3000, allocatable: 2000" if the request is larger.
std::string shortage(const Usage& requests, const Value& node, const char* resource, std::int32_t scale) {
  const auto asked = requests.find(resource);
  const Quantity request = asked == requests.end() ? Quantity() : asked->second.quantity;
  // A Node without allocatable has its capacity (pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus).
  const Value& status = node["status"];
  const Value& amounts = status["allocatable"].is_null() ? status["capacity"] : status["allocatable"];
  const Quantity allocatable = Quantity::parse(amounts[resource].text()).value_or(Quantity());
  if (compare(request, allocatable) <= 0) return {};
  return std::string(resource) + ", requested: " + std::to_string(request.scaled(scale)) +
         ", allocatable: " + std::to_string(allocatable.scaled(scale));
}

}  // namespace

/// plugin/pkg/admission/nodedeclaredfeatures.
Judgement judge_declared_features(const JudgedPod& judged) {
  if (!judged.request.sub_resource.empty() && !judged.is_resize()) return std::nullopt;
  if (!has_changed(judged)) return std::nullopt;
  const Value* node = nullptr;
  std::string missing;
  for (const Feature& feature : kFeatures) {
    if (!feature.is_needed(judged)) continue;
    if (node == nullptr) node = node_of(judged);
    if (node == nullptr) return no_node(judged);
    if (!declares(*node, feature.name)) missing.append(missing.empty() ? "" : ", ").append(feature.name);
  }
  if (missing.empty()) return std::nullopt;
  return forbidden("pod update requires features " + missing + " which are not available on node \"" +
                   std::string((*node)["metadata"]["name"].text()) + "\"");
}

/// plugin/pkg/admission/podresize: a resized Pod must fit its node, which must run Linux.
Judgement judge_resize(const JudgedPod& judged) {
  if (!has_changed(judged)) return std::nullopt;
  const Value* node = node_of(judged);
  if (node == nullptr) return no_node(judged);
  const Value* os = (*node)["metadata"]["labels"].find("kubernetes.io/os");
  if (os != nullptr && os->text() != "linux") {
    return forbidden("pod resize is only supported on linux nodes, node \"" +
                     std::string((*node)["metadata"]["name"].text()) + "\" is \"" + std::string(os->text()) +
                     "\"");
  }
  constexpr std::int32_t kInUnits = 0, kInMilli = -3;
  const Usage requests = pod_requests(judged.pod, judged.minor, StatusCounts::no);
  const std::string cpu = shortage(requests, *node, "cpu", kInMilli);
  const std::string memory = shortage(requests, *node, "memory", kInUnits);
  if (cpu.empty() && memory.empty()) return std::nullopt;
  return forbidden("node didn't have enough allocatable resources: " + cpu +
                   (cpu.empty() || memory.empty() ? "" : "; ") + memory);
}

}  // namespace fixpoint::apiserver::validating
