#include "injectors/kserve/kserve_pack.h"

#include <algorithm>
#include <array>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"
#include "injectors/kserve/autoscaler/autoscaler_steps.h"
#include "injectors/kserve/probes/handed_probe.h"
#include "injectors/kserve/volumes/own_volumes.h"

namespace fixpoint::injectors::kserve {

namespace {

using properties::Property;
using properties::Tested;

/// Returns true for KServe's webhook: bundled ones are recognised by their names, others by the name of
/// KServe's server in their configuration.
bool is_of_kserve(const Tested& tested) {
  if (tested.name.starts_with("kserve/")) return true;
  const auto webhooks = tested.configuration["webhooks"].elements();
  return std::any_of(webhooks.begin(), webhooks.end(), [](const document::Value& webhook) {
    return webhook["name"].text().find("kserve") != std::string_view::npos;
  });
}

/// Returns true if the webhook can add KServe's agent.
bool adds_agent(const Tested& tested) {
  const std::string_view name = tested.name.substr(0, tested.name.find('@'));
  const bool is_part =
      tested.name.starts_with("kserve/") && name != "kserve/agent" && name != "kserve/pod-mutator";
  return !is_part && is_of_kserve(tested);
}

constexpr auto kProperties = std::to_array<Property>({
    {.name = "probe-handed-over",
     .claim = "No container is made to run the probe command of another one with another image.",
     .is_cheap = true,
     .ask = probes::probe_handed_over,
     .applies_to = adds_agent,
     .explanation = {"An exec probe of the model's container is moved to the agent, which lacks the file.",
                     "The Pod never becomes ready, though the model is.",
                     "Leave exec probes where their command is."}},
    {.name = "agent-can-become-ready",
     .claim = "A container that is added to probe for another has a probe that it can ask.",
     .is_cheap = true,
     .ask = probes::agent_can_become_ready,
     .applies_to = adds_agent,
     .explanation = {"The agent gets no probe at all and a request is routed to it too early.",
                     "Traffic meets a proxy that is not up, or readiness is never reported.",
                     "Give the agent a probe that it can answer by itself."}},
    {.name = "mounts-own-volumes",
     .claim = "A volume that the webhook mounts is its own, not one of the user's that has its name.",
     .is_cheap = false,
     .ask = volumes::mounts_own_volumes,
     .applies_to = is_of_kserve,
     .explanation =
         {"The user has a volume user-gcp-sa; the webhook mounts it in place of the Secret.",
          "The container starts without credentials, or with those of somebody else.",
          "Compare the source of the volume that is there, and refuse the Pod where it is another."}},
});

}  // namespace

properties::Pack kserve_pack() {
  return {.name = "kserve",
          .of_cases = kProperties,
          .of_sequences = autoscaler::all_properties(),
          .steps = autoscaler::autoscaler_steps()};
}

}  // namespace fixpoint::injectors::kserve
