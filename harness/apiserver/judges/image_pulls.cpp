#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/types/container_types.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Name;
using document::Value;

std::string complaint(const std::string& path, const Value& policy) {
  return path + ": Unsupported value: \"" + std::string(policy.text()) + "\": supported values: \"Always\"";
}

}  // namespace

/// plugin/pkg/admission/alwayspullimages Validate. What it answers is a list of errors, which has no code of
/// its own: the client gets 500.
Judgement judge_image_pulls(const JudgedPod& judged) {
  if (plugins::keeps_images(judged.request, judged.pod)) return std::nullopt;
  Refused refused{.code = 500};
  for (const Name& list : kContainerLists) {
    const auto containers = judged.pod["spec"][list].elements();
    for (std::size_t i = 0; i < containers.size(); ++i) {
      if (containers[i]["imagePullPolicy"].text() == "Always") continue;
      const std::string path =
          "spec." + std::string(list.text) + "[" + std::to_string(i) + "].imagePullPolicy";
      refused.messages.push_back(complaint(path, containers[i]["imagePullPolicy"]));
    }
  }
  const auto volumes = judged.pod["spec"]["volumes"].elements();
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Value& image = volumes[i]["image"];
    if (image.is_null() || image["pullPolicy"].text() == "Always") continue;
    const std::string path = "spec.volumes[" + std::to_string(i) + "].image.pullPolicy";
    refused.messages.push_back(complaint(path, image["pullPolicy"]));
  }
  if (refused.messages.empty()) return std::nullopt;
  return refused;
}

}  // namespace fixpoint::apiserver::validating
