#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/judges/quota_usage.h"
#include "harness/apiserver/plugins/amounts.h"
#include "harness/document/joined.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Value;

/// Resources for which a quota demands that every container says what it asks for (validationSet in
/// pkg/quota/v1/evaluator/core/pods.go).
constexpr std::array<std::string_view, 6> kDemanded{
    "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"};

/// A ResourceQuota as the server holds it.
struct Quota {
  std::string_view name;
  Value spec, hard, used;
  std::vector<std::string> counted = {};  ///< those of its resources that Pods use
};

Value rounded(const Value& amounts) {
  Value result = Value::empty_object();
  plugins::add_missing(result, amounts, plugins::Amounts::rounded_up_to_milli);
  return result;
}

/// The quotas that count this Pod, by name.
std::vector<Quota> quotas_for(const JudgedPod& judged) {
  std::vector<Quota> quotas;
  for (const Value* object : judged.cluster.of_kind("ResourceQuota")) {
    if ((*object)["metadata"]["namespace"].text() != judged.request.namespace_name) continue;
    const Value& status = (*object)["status"];
    Quota quota{.name = (*object)["metadata"]["name"].text(),
                .spec = (*object)["spec"],
                .hard = rounded(status["hard"]),
                .used = rounded(status["used"])};
    for (const Member& member : quota.hard.members()) {
      if (is_counted_for_pods(member.key.text())) quota.counted.emplace_back(member.key.text());
    }
    std::sort(quota.counted.begin(), quota.counted.end());
    const bool counts = !quota.counted.empty() && in_scopes(quota.spec, judged.pod, judged.minor);
    if (counts) quotas.push_back(std::move(quota));
  }
  return quotas;
}

/// "must specify cpu for: a,b; memory for: a", or nothing.
std::string missing_requests(const Quota& quota, const JudgedPod& judged) {
  if (has_pod_level_resources(judged.pod, judged.minor)) return {};
  std::vector<std::string> parts;
  for (const std::string& resource : quota.counted) {
    if (std::find(kDemanded.begin(), kDemanded.end(), resource) == kDemanded.end()) continue;
    std::set<std::string> containers;
    for (const char* list : {"containers", "initContainers"}) {
      for (const Value& container : judged.pod["spec"][list].elements()) {
        if (!usage_of_container(container).contains(resource)) containers.emplace(container["name"].text());
      }
    }
    if (!containers.empty()) parts.push_back(resource + " for: " + document::joined(containers, ","));
  }
  return parts.empty() ? std::string() : "must specify " + document::joined(parts, "; ");
}

/// Returns true if the status says how much of each counted resource is used.
bool knows_usage(const Quota& quota) {
  return std::all_of(quota.counted.begin(), quota.counted.end(),
                     [&](const std::string& resource) { return quota.used.find(resource) != nullptr; });
}

/// The amounts of some resources: "cpu=1,memory=1Gi".
std::string written(const std::vector<std::string>& resources, const auto& amount_of) {
  std::vector<std::string> parts;
  for (const std::string& resource : resources) {
    const std::string amount = amount_of(resource);
    if (!amount.empty()) parts.push_back(resource + "=" + amount);
  }
  return document::joined(parts, ",");
}

/// The amounts that an update adds to the usage; those that shrink count as 0
/// (SubtractWithNonNegativeResult).
Usage increase(const Usage& now, const Usage& before) {
  Usage more;
  for (const auto& [resource, amount] : now) {
    Amount& difference = more[resource] = amount;
    const auto old = before.find(resource);
    if (old == before.end()) continue;
    difference.text = Value();
    difference.quantity += Quantity::parse("-" + old->second.quantity.canonical()).value_or(Quantity());
    if (difference.quantity.sign() <= 0) difference.quantity = Quantity();
  }
  return more;
}

/// "exceeded quota: …" if what is added does not fit, else nothing.
std::string excess(const Quota& quota, const Usage& added) {
  std::vector<std::string> exceeded;
  for (const auto& [resource, amount] : added) {
    const Value* hard = quota.hard.find(resource);
    if (hard == nullptr || amount.quantity.is_zero()) continue;
    Quantity sum = Quantity::parse(quota.used[resource].text()).value_or(Quantity());
    sum += amount.quantity;
    if (compare(sum, Quantity::parse(hard->text()).value_or(Quantity())) > 0) exceeded.push_back(resource);
  }
  if (exceeded.empty()) return {};
  const auto text_in = [](const Value& amounts) {
    return [&amounts](const std::string& resource) { return std::string(amounts[resource].text()); };
  };
  const auto asked = [&](const std::string& resource) { return added.at(resource).written(); };
  return "exceeded quota: " + std::string(quota.name) + ", requested: " + written(exceeded, asked) +
         ", used: " + written(exceeded, text_in(quota.used)) +
         ", limited: " + written(exceeded, text_in(quota.hard));
}

/// Returns true if the evaluator looks at the request at all (podEvaluator.Handles).
bool is_counted(const JudgedPod& judged) {
  if (judged.is_create() || judged.is_resize()) return judged.is_create() || judged.request.is_update();
  return judged.request.sub_resource.empty() && has_deadline(judged.pod) != has_deadline(judged.old_pod);
}

}  // namespace

/// apiserver/admission/plugin/resourcequota CheckRequest with the evaluator of Pods. The quotas are asked by
/// name, where the server's cache has no order.
Judgement judge_resource_quotas(const JudgedPod& judged) {
  if (!is_counted(judged)) return std::nullopt;
  const std::vector<Quota> quotas = quotas_for(judged);
  for (const Quota& quota : quotas) {
    const std::string name(quota.name);
    if (const std::string missing = missing_requests(quota, judged); !missing.empty())
      return forbidden("failed quota: " + name + ": " + missing);
    if (!knows_usage(quota))
      return forbidden("status unknown for quota: " + name + ", resources: " +
                       document::joined(quota.counted, ","));
  }
  if (quotas.empty()) return std::nullopt;
  const Usage usage = usage_of_pod(judged.pod, judged.minor);
  for (const Quota& quota : quotas) {
    const bool is_charged = !judged.is_create() && in_scopes(quota.spec, judged.old_pod, judged.minor);
    const Usage added = is_charged ? increase(usage, usage_of_pod(judged.old_pod, judged.minor)) : usage;
    if (const std::string why = excess(quota, added); !why.empty()) return forbidden(why);
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::validating
