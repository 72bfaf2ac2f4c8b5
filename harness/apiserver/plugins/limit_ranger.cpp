#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/plugins/amounts.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/document/joined.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Member;
using document::Value;

/// The defaults that a LimitRange gives to containers: `default` for limits, `defaultRequest` for requests.
/// Both are first completed as the server does on reading the LimitRange and then rounded
/// (SetDefaults_LimitRangeItem and SetDefaults_ResourceList in pkg/apis/core/v1/defaults.go).
void collect_defaults(const Value& limit_range, Value& limits, Value& requests) {
  for (const Value& item : limit_range["spec"]["limits"].elements()) {
    if (item["type"].text() != "Container") continue;
    Value item_limits = Value::empty_object(), item_requests = Value::empty_object();
    add_missing(item_limits, item["default"], Amounts::rounded_up_to_milli);
    add_missing(item_limits, item["max"], Amounts::rounded_up_to_milli);
    add_missing(item_requests, item["defaultRequest"], Amounts::rounded_up_to_milli);
    add_missing(item_requests, item_limits, Amounts::rounded_up_to_milli);
    add_missing(item_requests, item["min"], Amounts::rounded_up_to_milli);
    for (const Member& member : item_limits.members()) limits.set(member.key.name(), member.value);
    for (const Member& member : item_requests.members()) requests.set(member.key.name(), member.value);
  }
}

/// Adds missing resources to one list of a container and describes them in the plugin's words.
void merge(const Value& defaults, Value& container, const char* list, const char* word,
           const std::string& who, std::vector<std::string>& said) {
  std::vector<std::string> added;
  const Value present = container["resources"][list];
  for (const Member& member : defaults.members()) {
    if (present.find(member.key.name()) != nullptr) continue;
    container.edit("resources").edit(list).set(member.key.name(), member.value);
    added.emplace_back(member.key.text());
  }
  if (added.empty()) return;
  std::sort(added.begin(), added.end());
  said.push_back(document::joined(added).append(" ").append(word).append(" for ").append(who));
}

void apply_limit_range(const Value& limit_range, Value& pod) {
  Value limits = Value::empty_object(), requests = Value::empty_object();
  collect_defaults(limit_range, limits, requests);
  std::vector<std::string> said;
  for (const auto& [list, word] :
       {std::pair{"containers", "container "}, {"initContainers", "init container "}}) {
    for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
      Value container = pod["spec"][list].at(i);
      const Value before = container;
      const std::string who = word + std::string(container["name"].text());
      merge(requests, container, "requests", "request", who, said);
      merge(limits, container, "limits", "limit", who, said);
      if (!container.same(before)) pod.edit("spec").edit(list).edit(i) = container;
    }
  }
  if (said.empty()) return;
  std::string text = "LimitRanger plugin set: ";
  for (const std::string& part : said) text.append(&part == &said.front() ? "" : "; ").append(part);
  pod.edit("metadata").edit("annotations").set("kubernetes.io/limit-ranger", text);
}

}  // namespace

Refusal limit_ranger(const Request& request, const Cluster& cluster, Value& pod) {
  if (request.is_update() && request.sub_resource != "resize") return std::nullopt;
  if (!request.old_object["metadata"]["deletionTimestamp"].is_null()) return std::nullopt;
  for (const Value* range : cluster.of_kind("LimitRange")) {
    if ((*range)["metadata"]["namespace"].text() == request.namespace_name) apply_limit_range(*range, pod);
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
