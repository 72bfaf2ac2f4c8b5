#include <algorithm>
#include <cstdint>

#include "harness/apiserver/plugins/plugin.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Value;

/// A taint, and the server's flag that says how long it is tolerated.
struct Taint {
  const char* key;
  const char* flag;
};
constexpr Taint kTaints[] = {{"node.kubernetes.io/not-ready", "default-not-ready-toleration-seconds"},
                             {"node.kubernetes.io/unreachable", "default-unreachable-toleration-seconds"}};
constexpr std::int64_t kSecondsByDefault = 300;

}  // namespace

Refusal default_toleration_seconds(const Request& request, const Cluster& cluster, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  const Value before = pod["spec"]["tolerations"];
  const Value& flags = cluster.settings_of("DefaultTolerationSeconds");
  for (const auto& [key, flag] : kTaints) {
    const auto all = before.elements();
    const bool tolerated = std::any_of(all.begin(), all.end(), [&](const Value& toleration) {
      const auto own = toleration["key"].text(), effect = toleration["effect"].text();
      return (own == key || own.empty()) && (effect == "NoExecute" || effect.empty());
    });
    if (tolerated) continue;
    pod.edit("spec")
        .edit("tolerations")
        .push_back({{"key", key},
                    {"operator", "Exists"},
                    {"effect", "NoExecute"},
                    {"tolerationSeconds", flags[flag].integer().value_or(kSecondsByDefault)}});
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
