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

/// In the server's own order (cases::kAdmissionPlugins).
constexpr auto kPlugins =
    std::to_array<Plugin>({{"LimitRanger", plugins::limit_ranger},
                           {"ServiceAccount", plugins::service_account},
                           {"Priority", plugins::priority},
                           {"DefaultTolerationSeconds", plugins::default_toleration_seconds},
                           {"RuntimeClass", plugins::runtime_class}});

}  // namespace

std::optional<Status> run_plugins(const Request& request, const Cluster& cluster, Value& pod) {
  for (const Plugin& plugin : kPlugins) {
    if (!cluster.has_plugin(plugin.name)) continue;
    if (auto refusal = plugin.admit(request, cluster, pod)) return refusal;
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver
