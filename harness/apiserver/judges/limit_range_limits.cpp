#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/plugins/amounts.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Name;
using document::Value;

constexpr std::int32_t kUnits = 0, kMilli = -3;
constexpr std::int64_t kMilliMax = std::numeric_limits<std::int64_t>::max() / 1000;

/// The amounts that a container or the Pod as a whole asks for.
struct Needs {
  ResourceSum requests = {}, limits = {};
};

/// A limit with the amounts that it is compared with: the request and the limit of one resource.
struct Compared {
  std::string_view type, resource;
  const Value& bound;  ///< in the server's form
  const ResourceSum::Entry* request;
  const ResourceSum::Entry* limit;

  /// "minimum cpu usage per Container is 1"
  std::string usage(std::string_view word) const {
    return std::string(word).append(" ").append(resource).append(" usage per ").append(type).append(" is ") +
           std::string(bound.text());
  }
};

std::string text_of(const ResourceSum::Entry& entry) { return std::string(entry.written().text()); }

/// The amounts as whole numbers, in milli units unless one is too large for that (requestLimitEnforcedValues
/// in plugin/pkg/admission/limitranger).
struct Numbers {
  std::int64_t request = 0, limit = 0, bound = 0;
};
Numbers numbers_of(const Compared& compared) {
  const Quantity request = compared.request == nullptr ? Quantity() : compared.request->amount;
  const Quantity limit = compared.limit == nullptr ? Quantity() : compared.limit->amount;
  const Quantity bound = Quantity::parse(compared.bound.text()).value_or(Quantity());
  const auto at = [&](std::int32_t scale) {
    return Numbers{request.scaled(scale), limit.scaled(scale), bound.scaled(scale)};
  };
  const Numbers units = at(kUnits);
  const bool fits = std::max({units.request, units.limit, units.bound}) <= kMilliMax;
  return fits ? at(kMilli) : units;
}

std::string check_min(const Compared& compared) {
  const Numbers numbers = numbers_of(compared);
  if (compared.request == nullptr) return compared.usage("minimum") + ".  No request is specified";
  if (numbers.request < numbers.bound)
    return compared.usage("minimum") + ", but request is " + text_of(*compared.request);
  if (compared.limit != nullptr && numbers.limit < numbers.bound)
    return compared.usage("minimum") + ", but limit is " + text_of(*compared.limit);
  return {};
}

std::string check_max(const Compared& compared) {
  const Numbers numbers = numbers_of(compared);
  if (compared.limit == nullptr) return compared.usage("maximum") + ".  No limit is specified";
  if (numbers.limit > numbers.bound)
    return compared.usage("maximum") + ", but limit is " + text_of(*compared.limit);
  if (compared.request != nullptr && numbers.request > numbers.bound)
    return compared.usage("maximum") + ", but request is " + text_of(*compared.request);
  return {};
}

std::string check_ratio(const Compared& compared) {
  const Numbers numbers = numbers_of(compared);
  std::string text(compared.resource);
  text.append(" max limit to request ratio per ").append(compared.type).append(" is ");
  text.append(compared.bound.text());
  if (compared.request == nullptr || numbers.request == 0)
    return text + ", but no request is specified or request is 0";
  if (compared.limit == nullptr || numbers.limit == 0)
    return text + ", but no limit is specified or limit is 0";
  const double shown = static_cast<double>(numbers.limit) / static_cast<double>(numbers.request);
  const Quantity bound = Quantity::parse(compared.bound.text()).value_or(Quantity());
  const bool in_milli = bound.scaled(kUnits) <= kMilliMax;
  const double ratio = in_milli ? shown * 1000 : shown;
  if (ratio <= static_cast<double>(bound.scaled(in_milli ? kMilli : kUnits))) return {};
  char digits[64];
  std::snprintf(digits, sizeof digits, "%f", shown);
  return text + ", but provided ratio is " + digits;
}

struct Rule {
  Name member;
  std::string (*check)(const Compared&);
};
constexpr Rule kRules[] = {{"min", check_min}, {"max", check_max}, {"maxLimitRequestRatio", check_ratio}};

void compare_needs(const Value& item, const Needs& needs, std::vector<std::string>& complaints) {
  for (const Rule& rule : kRules) {
    Value bounds = Value::empty_object();
    plugins::add_missing(bounds, item[rule.member], plugins::Amounts::rounded_up_to_milli);
    for (const Member& bound : bounds.members()) {
      const std::string_view resource = bound.key.text();
      std::string complaint = rule.check({.type = item["type"].text(),
                                          .resource = resource,
                                          .bound = bound.value,
                                          .request = needs.requests.find(resource),
                                          .limit = needs.limits.find(resource)});
      if (!complaint.empty()) complaints.push_back(std::move(complaint));
    }
  }
}

Needs needs_of(const Value& container) {
  Needs needs;
  needs.requests.add(container["resources"]["requests"]);
  needs.limits.add(container["resources"]["limits"]);
  return needs;
}

/// The total of the containers, in which cpu and memory of the Pod as a whole take precedence (podRequests
/// and podLimits of the plugin; the overhead does not count).
ResourceSum total_of(const JudgedPod& judged, std::string_view list) {
  const Value& spec = judged.pod["spec"];
  ResourceSum total = aggregate_resources(spec, list);
  if (judged.minor < gate::kPodLevelResources) return total;
  for (const Member& member : spec["resources"][Name(list)].members()) {
    const std::string_view name = member.key.text();
    if (name == "cpu" || name == "memory") total.set(name, member.value);
  }
  return total;
}

std::vector<std::string> complaints_of(const Value& limit_range, const JudgedPod& judged) {
  std::vector<std::string> complaints;
  for (const Value& item : limit_range["spec"]["limits"].elements()) {
    if (item["type"].text() == "Container") {
      for (const char* list : {"containers", "initContainers"}) {
        for (const Value& container : judged.pod["spec"][list].elements())
          compare_needs(item, needs_of(container), complaints);
      }
    } else if (item["type"].text() == "Pod") {
      compare_needs(item, {.requests = total_of(judged, "requests"), .limits = total_of(judged, "limits")},
                    complaints);
    }
  }
  std::sort(complaints.begin(), complaints.end());
  return complaints;
}

}  // namespace

/// The bounds of LimitRanges (plugin/pkg/admission/limitranger PodValidateLimitFunc): of the first LimitRange
/// by name that refuses, all complaints, sorted. The server says them in the order of a Go map.
Judgement judge_limit_ranges(const JudgedPod& judged) {
  if (judged.request.is_update() && !judged.is_resize()) return std::nullopt;
  if (!judged.old_pod["metadata"]["deletionTimestamp"].is_null()) return std::nullopt;
  for (const Value* range : judged.cluster.of_kind("LimitRange")) {
    if ((*range)["metadata"]["namespace"].text() != judged.request.namespace_name) continue;
    auto complaints = complaints_of(*range, judged);
    if (!complaints.empty()) return Refused{.messages = std::move(complaints)};
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::validating
