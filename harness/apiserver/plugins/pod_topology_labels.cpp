#include "harness/apiserver/plugins/plugin.h"
#include "harness/cases/minors.h"

namespace fixpoint::apiserver::plugins {

using cases::Cluster;
using cases::Request;
using document::Value;

/// plugin/pkg/admission/podtopologylabels: a Pod that is created on a node gets the node's zone and region,
/// on by default since 1.35. A node that is not known changes nothing.
Refusal pod_topology_labels(const Request& request, const Cluster& cluster, Value& pod) {
  constexpr int kOnByDefault = 35;
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  const auto name = pod["spec"]["nodeName"].text();
  if (name.empty() || cases::minor_of(cluster) < kOnByDefault) return std::nullopt;
  const Value* node = cluster.find("Node", "", name);
  if (node == nullptr) return std::nullopt;
  for (const char* label : {"topology.kubernetes.io/region", "topology.kubernetes.io/zone"}) {
    const Value* its = (*node)["metadata"]["labels"].find(label);
    if (its == nullptr || pod["metadata"]["labels"][label] == *its) continue;
    pod.edit("metadata").edit("labels").set(label, *its);
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
