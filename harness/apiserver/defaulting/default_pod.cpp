#include "harness/apiserver/defaulting/default_pod.h"

#include <string_view>
#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_table.h"
#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/stamp.h"

namespace fixpoint::apiserver {

namespace {

using document::Key;
using document::Member;
using document::Name;
using document::Value;

constexpr int kPodLevelResourcesSince = 34;

/// Adds missing entries to a sorted map.
void put_missing(Value& map, std::string_view name, const Value& value) {
  auto& members = map.edit_members();
  auto at = members.begin();
  while (at != members.end() && at->key.text() < name) ++at;
  if (at == members.end() || at->key.text() != name) members.insert(at, {Key(name), value});
}

/// Copies limits to missing requests.
void default_requests(Value& spec, const Name& list, int minor) {
  const Stamp done(kContainer, minor);
  const Value containers = spec[list];
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Value& container = containers.at(i);
    if (done.says_defaulted(container)) continue;
    const Value limits = container["resources"]["limits"];
    Value requests = container["resources"]["requests"];
    bool is_changed = false;
    for (const Member& limit : limits.members()) {
      if (requests.find(limit.key.name()) != nullptr) continue;
      put_missing(requests, limit.key.text(), limit.value);
      is_changed = true;
    }
    if (!is_changed) continue;
    Value& resources = spec.edit(list).edit(i).edit("resources");
    put_member(resources, kResourceRequirements, "requests", std::move(requests));
  }
}

void default_hugepage_limits(Value& resources, const ResourceSum& limits_of_containers) {
  Value limits = resources["limits"];
  bool is_changed = false;
  for (const auto& entry : limits_of_containers.entries()) {
    const Name name(entry.name);
    if (!is_hugepages_resource(entry.name) || resources["requests"].find(name) != nullptr) continue;
    if (limits.find(name) != nullptr) continue;
    put_missing(limits, entry.name, entry.written());
    is_changed = true;
  }
  if (is_changed) put_member(resources, kResourceRequirements, "limits", std::move(limits));
}

void default_pod_requests(Value& resources, const ResourceSum& requests_of_containers) {
  if (resources["limits"].empty()) return;
  Value requests = resources["requests"];
  bool is_changed = false;
  const auto put = [&](std::string_view name, const Value& amount) {
    if (requests.find(Name(name)) != nullptr) return;
    put_missing(requests, name, amount);
    is_changed = true;
  };
  for (const auto& entry : requests_of_containers.entries()) {
    if (entry.name == "cpu" || entry.name == "memory") put(entry.name, entry.written());
  }
  for (const Member& limit : resources["limits"].members()) {
    if (is_pod_level_resource(limit.key.text())) put(limit.key.text(), limit.value);
  }
  if (is_changed) put_member(resources, kResourceRequirements, "requests", std::move(requests));
}

void default_pod_resources(Value& spec) {
  if (spec["resources"].is_null()) return;
  Value resources = spec["resources"];
  if (resources["limits"].empty() && resources["requests"].empty()) return;
  default_hugepage_limits(resources, aggregate_resources(spec, "limits"));
  default_pod_requests(resources, aggregate_resources(spec, "requests"));
  if (!resources.same(spec["resources"])) spec.set("resources", std::move(resources));
}

/// On the host's network, hostPort defaults to containerPort.
void default_host_ports(Value& spec, const Name& list) {
  for (std::size_t i = 0; i < spec[list].size(); ++i) {
    const Value ports = spec[list].at(i)["ports"];
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const Value& port = ports.at(j);
      if (port.find("hostPort") != nullptr || port["containerPort"].text() == "0") continue;
      Value& changed = spec.edit(list).edit(i).edit("ports").edit(j);
      put_member(changed, *find_field(kContainer, "ports", kNewestMinor)->type, "hostPort",
                 port["containerPort"]);
    }
  }
}

}  // namespace

Value default_pod(const Value& decoded, int minor) {
  if (Stamp(kPod, minor).says_defaulted(decoded)) return decoded;
  Value spec = decoded["spec"];
  default_requests(spec, "containers", minor);
  default_requests(spec, "initContainers", minor);
  if (minor >= kPodLevelResourcesSince) default_pod_resources(spec);
  if (spec["hostNetwork"].is_true()) {
    default_host_ports(spec, "containers");
    default_host_ports(spec, "initContainers");
  }
  if (spec.same(decoded["spec"])) return default_object(kPod, decoded, minor);
  Value pod = decoded;
  pod.set("spec", std::move(spec));
  return default_object(kPod, pod, minor);
}

}  // namespace fixpoint::apiserver
