#pragma once

#include <string>

#include "harness/cases/sequence.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::injectors::kserve::autoscaler {

/// Draws a Sequence for this autoscaler reconciler from decisions alone: it switches classes, stops and
/// starts, lets a user act on an autoscaler of the same name, and reconciles. The initial objects and the
/// requested ones could exist in a real cluster, and the API server always applies its defaults.
cases::Sequence draw_autoscaler_sequence(runner::Choices& choices, const std::string& subject);

}  // namespace fixpoint::injectors::kserve::autoscaler
