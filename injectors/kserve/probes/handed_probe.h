#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/properties/property.h"

/// Properties of what KServe's agent is told to probe.
namespace fixpoint::injectors::kserve::probes {

using document::Value;
using properties::Examination;
using properties::Judgement;

// One function a property, each in a file of its own; the pack says what they claim.
Judgement probe_handed_over(const Examination& examination);
Judgement agent_can_become_ready(const Examination& examination);

/// A probe written as JSON, as webhooks put it into an env value for a container that probes in another's
/// place; nothing for any other text. `null` and `{}` are none.
std::optional<Value> probe_in(std::string_view text);
/// Whether a command is all that the probe has: the API server refuses a second handler.
bool is_command(const Value& probe);

/// A regular container of the final Pod, and where it stands.
struct Placed {
  const Value& container;
  std::string path;  ///< spec.containers[1]
};

/// Calls `visit` with every regular container of the final Pod that is not as the webhooks found it.
void for_each_changed_container(const apiserver::Admission& admission,
                                const std::function<void(const Placed&)>& visit);

/// The container of that name in a Pod, or null.
const Value& container_named(const Value& pod, const Value& name);

/// The last undisturbed call after which the container of that name passes the test while it did not before.
const apiserver::CallEvent* culprit_of(const Examination& examination, const Value& name,
                                       const std::function<bool(const Value& container)>& test);

}  // namespace fixpoint::injectors::kserve::probes
