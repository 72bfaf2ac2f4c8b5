#include <set>

#include "harness/apiserver/plugins/plugin.h"

namespace fixpoint::apiserver::plugins {

namespace {

using cases::Cluster;
using cases::Request;
using document::Name;
using document::Value;

constexpr Name kContainerLists[] = {"initContainers", "containers", "ephemeralContainers"};

}  // namespace

bool keeps_images(const Request& request, const Value& pod) {
  if (!request.sub_resource.empty()) return true;
  if (!request.is_update()) return false;
  std::set<std::string_view> known;
  for (const Name& list : kContainerLists) {
    for (const Value& container : request.old_object["spec"][list].elements())
      known.insert(container["image"].text());
  }
  for (const Name& list : kContainerLists) {
    for (const Value& container : pod["spec"][list].elements()) {
      if (!known.contains(container["image"].text())) return false;
    }
  }
  return true;
}

/// plugin/pkg/admission/alwayspullimages Admit.
Refusal always_pull_images(const Request& request, const Cluster&, Value& pod) {
  if (keeps_images(request, pod)) return std::nullopt;
  const auto pull = [](Value& holder, const Name& member) {
    if (holder[member].text() != "Always") holder.set(member, "Always");
  };
  for (const Name& list : kContainerLists) {
    for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
      if (pod["spec"][list].at(i)["imagePullPolicy"].text() == "Always") continue;
      pull(pod.edit("spec").edit(list).edit(i), "imagePullPolicy");
    }
  }
  for (std::size_t i = 0; i < pod["spec"]["volumes"].size(); ++i) {
    const Value& image = pod["spec"]["volumes"].at(i)["image"];
    if (image.is_null() || image["pullPolicy"].text() == "Always") continue;
    pull(pod.edit("spec").edit("volumes").edit(i).edit("image"), "pullPolicy");
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
