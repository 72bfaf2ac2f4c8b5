#include "harness/apiserver/judges/pod_totals.h"

#include <algorithm>
#include <string_view>

#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Name;
using document::Value;

/// Returns true if the kubelet said that a resize of the Pod can never be done.
bool is_resize_infeasible(const Value& pod) {
  for (const Value& condition : pod["status"]["conditions"].elements()) {
    if (condition["type"].text() == "PodResizePending") return condition["reason"].text() == "Infeasible";
  }
  return false;
}

const Value& status_of(const Value& pod, std::string_view name) {
  static constexpr Name kLists[] = {"containerStatuses", "initContainerStatuses"};
  static const Value none;
  const Value* found = &none;
  for (const Name& list : kLists) {
    for (const Value& status : pod["status"][list].elements()) {
      if (status["name"].text() == name) found = &status;
    }
  }
  return *found;
}

/// The amounts that a running container has at most: of what is asked for, given and set aside the greatest
/// (determineEffectiveRequests and determineEffectiveLimits).
Value effective(const Value& pod, const Value& container, const Name& list) {
  const Value& asked = container["resources"][list];
  const Value& status = status_of(pod, container["name"].text());
  if (status["resources"].is_null()) return asked;
  const bool with_allocated = list.text == "requests";
  ResourceSum amounts, given, allocated;
  given.add(status["resources"][list]);
  if (with_allocated) allocated.add(status["allocatedResources"]);
  if (!is_resize_infeasible(pod)) amounts.add(asked);
  amounts.raise_to(given);
  amounts.raise_to(allocated);
  Value effective = Value::empty_object();
  for (const auto& entry : amounts.entries()) effective.set(entry.name, entry.written());
  return effective;
}

/// The spec in which the amounts of running containers stand.
Value effective_spec(const Value& pod, const Name& list) {
  Value spec = pod["spec"];
  if (pod["status"]["containerStatuses"].empty() && pod["status"]["initContainerStatuses"].empty())
    return spec;
  for (const Name& containers : kRunContainers) {
    for (std::size_t i = 0; i < spec[containers].size(); ++i) {
      const Value& container = pod["spec"][containers].at(i);
      const bool is_init = containers.text == "initContainers";
      if (is_init && container["restartPolicy"].text() != "Always") continue;
      Value amounts = effective(pod, container, list);
      if (amounts.empty() && container["resources"].is_null()) continue;
      spec.edit(containers).edit(i).edit("resources").set(list, std::move(amounts));
    }
  }
  return spec;
}

}  // namespace

bool has_pod_level_resources(const Value& pod, int minor) {
  if (minor < gate::kPodLevelResources) return false;
  const auto has_any = [&](const char* list) {
    const auto amounts = pod["spec"]["resources"][list].members();
    return std::any_of(amounts.begin(), amounts.end(),
                       [](const Member& amount) { return is_pod_level_resource(amount.key.text()); });
  };
  return has_any("requests") || has_any("limits");
}

namespace {

Usage total(const Value& pod, int minor, const Name& list, StatusCounts status) {
  const Value spec = status == StatusCounts::yes ? effective_spec(pod, list) : pod["spec"];
  ResourceSum sum = aggregate_resources(spec, list.text);
  if (has_pod_level_resources(pod, minor)) {
    for (const Member& amount : pod["spec"]["resources"][list].members()) {
      if (is_pod_level_resource(amount.key.text())) sum.set(amount.key.text(), amount.value);
    }
  }
  Usage usage;
  for (const auto& entry : sum.entries())
    usage.insert_or_assign(std::string(entry.name), Amount{entry.amount, entry.text});
  return usage;
}

}  // namespace

Usage pod_requests(const Value& pod, int minor, StatusCounts status) {
  Usage usage = total(pod, minor, Name("requests"), status);
  for (const Member& overhead : pod["spec"]["overhead"].members()) {
    const Quantity more = Quantity::parse(overhead.value.text()).value_or(Quantity());
    const auto [known, is_new] =
        usage.try_emplace(std::string(overhead.key.text()), Amount{more, overhead.value});
    if (is_new) continue;
    known->second.quantity += more;
    known->second.text = Value();
  }
  return usage;
}

Usage pod_limits(const Value& pod, int minor, StatusCounts status) {
  Usage usage = total(pod, minor, Name("limits"), status);
  for (const Member& overhead : pod["spec"]["overhead"].members()) {
    const auto known = usage.find(overhead.key.text());
    if (known == usage.end() || known->second.quantity.is_zero()) continue;
    known->second.quantity += Quantity::parse(overhead.value.text()).value_or(Quantity());
    known->second.text = Value();
  }
  return usage;
}

}  // namespace fixpoint::apiserver::validating
