#include <algorithm>

#include "harness/apiserver/plugins/plugin.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Value;

}  // namespace

Refusal default_toleration_seconds(const Request& request, const Cluster&, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  const Value before = pod["spec"]["tolerations"];
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const auto all = before.elements();
    const bool tolerated = std::any_of(all.begin(), all.end(), [&](const Value& toleration) {
      const auto own = toleration["key"].text(), effect = toleration["effect"].text();
      return (own == key || own.empty()) && (effect == "NoExecute" || effect.empty());
    });
    if (tolerated) continue;
    pod.edit("spec")
        .edit("tolerations")
        .push_back(
            {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 300}});
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
