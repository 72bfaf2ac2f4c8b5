#include <algorithm>

#include "injectors/kserve/branches.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr document::Name kAnnotation = "serving.kserve.io/gke-accelerator";
constexpr document::Name kSelector = "cloud.google.com/gke-accelerator";

/// Returns true if a regular container has a limit for GPUs; requests and init containers do not count.
bool wants_gpu(const Value& pod) {
  const auto containers = pod["spec"]["containers"].elements();
  return std::any_of(containers.begin(), containers.end(), [](const Value& container) {
    return container["resources"]["limits"].find("nvidia.com/gpu") != nullptr;
  });
}

}  // namespace

Problem select_accelerator(Value& pod, const StepInput&) {
  const Value* kind = annotation(pod, kAnnotation);
  if (kind == nullptr) return std::nullopt;
  if (!wants_gpu(pod)) return (reach("accelerator/without-gpu"), std::nullopt);
  reach("accelerator/selected");
  const Value chosen = *kind;
  const Value* old = pod["spec"]["nodeSelector"].find(kSelector);
  if (old == nullptr || *old != chosen) pod.edit("spec").edit("nodeSelector").set(kSelector, chosen);
  return std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
