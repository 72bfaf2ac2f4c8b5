#pragma once

#include <optional>

#include "harness/campaign/gate_context.h"

namespace fixpoint::campaign {

/// Judges the agreement of the simulated server with the policy's recorded vectors. Returns why a question
/// could not be asked.
std::optional<Unasked> judge_conformance(GateContext& context);

/// Judges the latencies of the webhooks that the policy bounds.
std::optional<Unasked> judge_benches(GateContext& context);

}  // namespace fixpoint::campaign
