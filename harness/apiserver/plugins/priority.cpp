#include <cstdint>
#include <string>
#include <string_view>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using document::Text;

using cases::Cluster;
using cases::Request;
using document::Value;

/// The effective class: the named one, or the global default with the lowest value, or none.
Value priority_class(const Cluster& cluster, std::string_view name) {
  if (!name.empty()) {
    const Value* found = cluster.find("PriorityClass.scheduling.k8s.io", "", name);
    return found == nullptr ? Value() : *found;
  }
  Value chosen;
  for (const Value* one : cluster.of_kind("PriorityClass.scheduling.k8s.io")) {
    const Value& object = *one;
    if (object["globalDefault"].is_true() &&
        (chosen.is_null() || chosen["value"].integer().value_or(0) > object["value"].integer().value_or(0))) {
      chosen = object;
    }
  }
  return chosen;
}

Refusal restore_priority(const Request& request, Value& pod) {
  for (const char* field : {"priority", "preemptionPolicy"}) {
    const Value& old = request.old_object["spec"][field];
    if (pod["spec"][field].is_null() && !old.is_null()) pod.edit("spec").set(field, old);
  }
  return std::nullopt;
}

}  // namespace

Refusal priority(const Request& request, const Cluster& cluster, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  if (request.is_update()) return restore_priority(request, pod);
  const std::string name(pod["spec"]["priorityClassName"].text());
  const Value found = priority_class(cluster, name);
  if (found.is_null() && !name.empty())
    return forbid(request, pod, Text("no PriorityClass with name {} was found").with({name}));
  const std::int64_t value = found["value"].integer().value_or(0);
  Value policy = found["preemptionPolicy"];
  if (policy.is_null()) policy = "PreemptLowerPriority";
  const Value& own = pod["spec"]["priority"];
  if (!own.is_null() && own.integer() != value) {
    return forbid(request, pod,
                  Text("the integer value of priority ({}) must not be provided in pod spec; priority "
                       "admission controller computed {} from the given PriorityClass name")
                      .with({own.text(), std::to_string(value)}));
  }
  const Value& own_policy = pod["spec"]["preemptionPolicy"];
  if (!own_policy.is_null() && own_policy.text() != policy.text()) {
    return forbid(request, pod,
                  Text("the string value of PreemptionPolicy ({}) must not be provided in pod spec; "
                       "priority admission controller computed {} from the given PriorityClass name")
                      .with({own_policy.text(), policy.text()}));
  }
  if (name.empty() && !found.is_null()) pod.edit("spec").set("priorityClassName", found["metadata"]["name"]);
  if (own.is_null()) pod.edit("spec").set("priority", value);
  if (pod["spec"]["preemptionPolicy"].is_null()) pod.edit("spec").set("preemptionPolicy", policy);
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
