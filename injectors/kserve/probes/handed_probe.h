#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/properties/property.h"

/// Properties of the probe that is handed over to KServe's agent.
namespace fixpoint::injectors::kserve::probes {

using document::Value;
using properties::Examination;
using properties::Judgement;

// One function for each property, each in its own file; the pack holds their claims.
Judgement probe_handed_over(const Examination& examination);
Judgement agent_can_become_ready(const Examination& examination);

/// Returns the probe in a text of JSON. Webhooks write such a text into an env value of a container that
/// probes in place of another one. Returns nothing for any other text, nor for `null` and `{}`.
std::optional<Value> probe_in(std::string_view text);
/// Returns true if the probe's only handler is a command; the API server refuses a second handler.
bool is_command(const Value& probe);

/// A regular container of the final Pod, and its path.
struct Placed {
  const Value& container;
  std::string path;  ///< spec.containers[1]
};

/// Calls `visit` with every regular container of the final Pod that the webhooks added or changed.
void for_each_changed_container(const apiserver::Admission& admission,
                                const std::function<void(const Placed&)>& visit);

/// Returns the container of that name in a Pod, or null.
const Value& container_named(const Value& pod, const Value& name);

/// Returns the last undisturbed call after which the container of that name passes the test, and before which
/// it did not.
const apiserver::CallEvent* culprit_of(const Examination& examination, const Value& name,
                                       const std::function<bool(const Value& container)>& test);

}  // namespace fixpoint::injectors::kserve::probes
