#pragma once

#include <string_view>

#include "harness/webhooks/webhook.h"
#include "injectors/kserve/common.h"
#include "injectors/kserve/config.h"

namespace fixpoint::injectors::kserve {

/// The inputs of a step besides the Pod: the configuration and the cluster, as one release reads them.
struct StepInput {
  const webhooks::Call& call;
  const Config& config;
  const Common& release;

  std::string_view namespace_name() const { return call.request.namespace_name; }
  /// Returns the object in the request's namespace, or nullptr. A manifest without a namespace counts as part
  /// of that namespace.
  const Value* find(cases::GroupKind kind, std::string_view name) const {
    const Value* found = call.cluster.find(kind, namespace_name(), name);
    return found != nullptr ? found : call.cluster.find(kind, "", name);
  }
};

/// A step: it edits the decoded Pod, or returns the reason why the whole call stops.
using Step = Problem (*)(Value& pod, const StepInput& input);

// The steps of the composed webhook, in upstream's order (docs/kserve.md#1-3). Each depends on the release.
Problem select_accelerator(Value& pod, const StepInput& input);
Problem initialize_storage(Value& pod, const StepInput& input);
Problem set_istio_context(Value& pod, const StepInput& input);
Problem inject_agent(Value& pod, const StepInput& input);
Problem aggregate_metrics(Value& pod, const StepInput& input);
Problem inject_modelcar(Value& pod, const StepInput& input);

}  // namespace fixpoint::injectors::kserve
