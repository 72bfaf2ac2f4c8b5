#pragma once

#include <string>

#include "harness/cases/sequence.h"
#include "harness/runner/choices.h"

namespace fixpoint::injectors::kserve::autoscaler {

/// The one function from decisions to a Sequence for this reconciler of autoscalers: it switches classes,
/// stops and starts, lets a user act on an autoscaler of the same name, and reconciles. What is stored at
/// first and what is asked for could stand in a real cluster, and the API server always applies its defaults.
cases::Sequence draw_autoscaler_sequence(runner::Choices& choices, const std::string& subject);

}  // namespace fixpoint::injectors::kserve::autoscaler
