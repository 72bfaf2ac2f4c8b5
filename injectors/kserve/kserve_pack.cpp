#include "injectors/kserve/kserve_pack.h"

#include <algorithm>
#include <array>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"
#include "injectors/kserve/autoscaler/autoscaler_steps.h"
#include "injectors/kserve/probes/handed_probe.h"

namespace fixpoint::injectors::kserve {

namespace {

using properties::Property;
using properties::Tested;

/// Returns true if the webhook can add KServe's agent: bundled ones are recognised by their names, others by
/// the name of KServe's server in their configuration.
bool adds_agent(const Tested& tested) {
  if (tested.name.starts_with("kserve/")) {
    const std::string_view name = tested.name.substr(0, tested.name.find('@'));
    return name == "kserve/agent" || name == "kserve/pod-mutator";
  }
  const auto webhooks = tested.configuration["webhooks"].elements();
  return std::any_of(webhooks.begin(), webhooks.end(), [](const document::Value& webhook) {
    return webhook["name"].text().find("kserve") != std::string_view::npos;
  });
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
});

}  // namespace

properties::Pack kserve_pack() {
  return {.name = "kserve",
          .of_cases = kProperties,
          .of_sequences = autoscaler::all_properties(),
          .steps = autoscaler::autoscaler_steps()};
}

}  // namespace fixpoint::injectors::kserve
