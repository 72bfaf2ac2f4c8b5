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
  plugins::Refusal (*admit)(const Request&, const Cluster&, Value&, int pass);
};

/// A plugin that does the same in both passes.
template <plugins::Refusal (*admit)(const Request&, const Cluster&, Value&)>
plugins::Refusal in_any_pass(const Request& request, const Cluster& cluster, Value& pod, int) {
  return admit(request, cluster, pod);
}

/// In the server's own order (cases::kSimulatedPlugins).
constexpr auto kPlugins =
    std::to_array<Plugin>({{"LimitRanger", in_any_pass<plugins::limit_ranger>},
                           {"ServiceAccount", plugins::service_account},
                           {"AlwaysPullImages", in_any_pass<plugins::always_pull_images>},
                           {"PodNodeSelector", in_any_pass<plugins::pod_node_selector>},
                           {"Priority", in_any_pass<plugins::priority>},
                           {"DefaultTolerationSeconds", in_any_pass<plugins::default_toleration_seconds>},
                           {"PodTolerationRestriction", in_any_pass<plugins::pod_toleration_restriction>},
                           {"ExtendedResourceToleration", in_any_pass<plugins::extended_resource_toleration>},
                           {"RuntimeClass", in_any_pass<plugins::runtime_class>},
                           {"PodTopologyLabels", in_any_pass<plugins::pod_topology_labels>}});

}  // namespace

std::optional<Status> run_plugins(const Request& request, const Cluster& cluster, Value& pod, int pass) {
  if (auto refusal = plugins::namespace_lifecycle(request, cluster, pod)) return refusal;
  for (const Plugin& plugin : kPlugins) {
    if (!cluster.has_plugin(plugin.name)) continue;
    if (auto refusal = plugin.admit(request, cluster, pod, pass)) return refusal;
  }
  return std::nullopt;
}

std::optional<Status> run_lifecycle(const Request& request, const Cluster& cluster, Value& object, int) {
  return plugins::namespace_lifecycle(request, cluster, object);
}

}  // namespace fixpoint::apiserver
