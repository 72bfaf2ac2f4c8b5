#include "harness/apiserver/judges/quota_usage.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/validation/qos.h"
#include "harness/apiserver/validation/resource_names.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Name;
using document::Value;

constexpr std::string_view kRequests = "requests.", kLimits = "limits.";
constexpr std::string_view kDeviceClass = "deviceclass.resource.kubernetes.io/";

/// Resources that a quota knows by three names: plainly and with both prefixes.
constexpr std::array<std::string_view, 3> kCompute{"cpu", "memory", "ephemeral-storage"};

bool is_counted_extended(std::string_view name) {
  return name.starts_with(kDeviceClass) || validation::is_extended_resource(name);
}

bool is_compute(std::string_view name) {
  return std::find(kCompute.begin(), kCompute.end(), name) != kCompute.end();
}

std::string with_prefix(std::string_view prefix, std::string_view name) {
  return std::string(prefix).append(name);
}

Usage compute_usage(const Usage& requests, const Usage& limits) {
  Usage usage;
  usage["pods"] = {Quantity(1), Value("1")};
  for (const auto& [name, amount] : requests) {
    if (is_compute(name) || is_hugepages_resource(name)) usage[name] = amount;
    if (is_compute(name) || is_hugepages_resource(name) || is_counted_extended(name))
      usage[with_prefix(kRequests, name)] = amount;
  }
  for (const auto& [name, amount] : limits) {
    if (is_compute(name)) usage[with_prefix(kLimits, name)] = amount;
  }
  return usage;
}

Usage amounts_of(const Value& amounts) {
  Usage usage;
  for (const Member& member : amounts.members()) {
    usage[std::string(member.key.text())] = {Quantity::parse(member.value.text()).value_or(Quantity()),
                                             member.value};
  }
  return usage;
}

bool reaches_other_namespaces(const Value& affinity) {
  const auto is_wide = [](const Value& term) {
    return !term["namespaces"].empty() || !term["namespaceSelector"].is_null();
  };
  for (const Name& kind : {Name("podAffinity"), Name("podAntiAffinity")}) {
    for (const Value& term : affinity[kind]["requiredDuringSchedulingIgnoredDuringExecution"].elements())
      if (is_wide(term)) return true;
    for (const Value& term : affinity[kind]["preferredDuringSchedulingIgnoredDuringExecution"].elements())
      if (is_wide(term["podAffinityTerm"])) return true;
  }
  return false;
}

bool is_best_effort(const Value& pod, int minor) { return qos_class_of(pod, minor) == "BestEffort"; }

bool names_class(const Value& pod, std::string_view op, const Value& values) {
  const auto name = pod["spec"]["priorityClassName"].text();
  const auto all = values.elements();
  const bool is_listed =
      std::any_of(all.begin(), all.end(), [&](const Value& value) { return value.text() == name; });
  if (op == "In") return !name.empty() && is_listed;
  if (op == "NotIn") return name.empty() || !is_listed;
  return op == "Exists" ? !name.empty() : name.empty();
}

bool in_scope(std::string_view scope, std::string_view op, const Value& values, const Value& pod, int minor) {
  if (scope == "Terminating") return has_deadline(pod);
  if (scope == "NotTerminating") return !has_deadline(pod);
  if (scope == "BestEffort") return is_best_effort(pod, minor);
  if (scope == "NotBestEffort") return !is_best_effort(pod, minor);
  if (scope == "PriorityClass") return names_class(pod, op, values);
  if (scope == "CrossNamespacePodAffinity") return reaches_other_namespaces(pod["spec"]["affinity"]);
  return false;
}

}  // namespace

bool is_counted_for_pods(std::string_view name) {
  if (name == "pods" || name == "count/pods" || is_compute(name)) return true;
  for (const std::string_view prefix : {kRequests, kLimits})
    if (name.starts_with(prefix) && is_compute(name.substr(prefix.size()))) return true;
  if (name.starts_with("hugepages-") || name.starts_with("requests.hugepages-")) return true;
  if (!name.starts_with(kRequests)) return false;
  return !validation::is_native_resource(name) || name.substr(kRequests.size()).starts_with(kDeviceClass);
}

Usage usage_of_container(const Value& container) {
  return compute_usage(amounts_of(container["resources"]["requests"]),
                       amounts_of(container["resources"]["limits"]));
}

Usage usage_of_pod(const Value& pod, int minor) {
  Usage usage;
  const auto phase = pod["status"]["phase"].text();
  if (phase != "Failed" && phase != "Succeeded") {
    usage =
        compute_usage(pod_requests(pod, minor, StatusCounts::yes), pod_limits(pod, minor, StatusCounts::yes));
  }
  usage["count/pods"] = {Quantity(1), Value("1")};
  return usage;
}

bool in_scopes(const Value& quota_spec, const Value& pod, int minor) {
  const auto scopes = quota_spec["scopes"].elements();
  const auto expressions = quota_spec["scopeSelector"]["matchExpressions"].elements();
  return std::all_of(scopes.begin(), scopes.end(),
                     [&](const Value& scope) { return in_scope(scope.text(), "Exists", {}, pod, minor); }) &&
         std::all_of(expressions.begin(), expressions.end(), [&](const Value& expression) {
           return in_scope(expression["scopeName"].text(), expression["operator"].text(),
                           expression["values"], pod, minor);
         });
}

bool has_deadline(const Value& pod) {
  const auto seconds = pod["spec"]["activeDeadlineSeconds"].integer();
  return seconds && *seconds >= 0;
}

}  // namespace fixpoint::apiserver::validating
