#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/validation/resource_names.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Member;
using document::Value;

/// Puts the toleration in the place of each one that differs in nothing but its seconds, else at the end
/// (AddOrUpdateTolerationInPod in pkg/apis/core/helper).
void put_toleration(Value& pod, const Value& toleration) {
  std::vector<Value> all;
  bool is_known = false;
  for (const Value& one : pod["spec"]["tolerations"].elements()) {
    const bool matches = one["key"] == toleration["key"] && one["effect"] == toleration["effect"] &&
                         one["operator"] == toleration["operator"] && one["value"].text().empty();
    is_known = is_known || matches;
    all.push_back(matches ? toleration : one);
  }
  if (!is_known) all.push_back(toleration);
  Value list(std::move(all));
  if (!(list == pod["spec"]["tolerations"])) pod.edit("spec").set("tolerations", std::move(list));
}

}  // namespace

/// plugin/pkg/admission/extendedresourcetoleration: whoever asks for an extended resource tolerates the taint
/// of its nodes.
Refusal extended_resource_toleration(const Request& request, const Cluster&, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  std::set<std::string, std::less<>> resources;
  for (const char* list : {"containers", "initContainers"}) {
    for (const Value& container : pod["spec"][list].elements()) {
      for (const Member& member : container["resources"]["requests"].members()) {
        if (validation::is_extended_resource(member.key.text())) resources.emplace(member.key.text());
      }
    }
  }
  for (const std::string& resource : resources)
    put_toleration(pod, {{"key", resource}, {"operator", "Exists"}, {"effect", "NoSchedule"}});
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
