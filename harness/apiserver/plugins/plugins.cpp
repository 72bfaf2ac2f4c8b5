#include "harness/apiserver/plugins/plugins.h"

#include <array>

#include "harness/apiserver/plugins/plugin.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Status;
using document::Value;

struct Plugin {
  std::string_view name;
  plugins::Refusal (*admit)(const Request&, const Cluster&, Value&);
};

/// In the server's own order (cases::kSimulatedPlugins).
constexpr auto kPlugins =
    std::to_array<Plugin>({{"LimitRanger", plugins::limit_ranger},
                           {"ServiceAccount", plugins::service_account},
                           {"AlwaysPullImages", plugins::always_pull_images},
                           {"PodNodeSelector", plugins::pod_node_selector},
                           {"Priority", plugins::priority},
                           {"DefaultTolerationSeconds", plugins::default_toleration_seconds},
                           {"PodTolerationRestriction", plugins::pod_toleration_restriction},
                           {"ExtendedResourceToleration", plugins::extended_resource_toleration},
                           {"RuntimeClass", plugins::runtime_class},
                           {"PodTopologyLabels", plugins::pod_topology_labels}});

}  // namespace

std::optional<Status> run_plugins(const Request& request, const Cluster& cluster, Value& pod) {
  if (auto refusal = plugins::namespace_lifecycle(request, cluster, pod)) return refusal;
  for (const Plugin& plugin : kPlugins) {
    if (!cluster.has_plugin(plugin.name)) continue;
    if (auto refusal = plugin.admit(request, cluster, pod)) return refusal;
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver
