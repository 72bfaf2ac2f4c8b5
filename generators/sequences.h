#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/cases/sequence.h"
#include "harness/runner/choices.h"

namespace fixpoint::generators {

/// The one function from decisions to a Sequence for one of these reconcilers: it switches classes, stops and
/// starts, lets a user act on an autoscaler of the same name, and reconciles. What is stored at first and
/// what is asked for could stand in a real cluster, and the API server always applies its defaults.
cases::Sequence draw_sequence(runner::Choices& choices, const std::vector<std::string>& subjects);

/// One pass of structural reductions (runner::ReduceSequence): fewer steps, less of what is stored at first,
/// plainer components.
void reduce_sequence(cases::Sequence value, const std::function<bool(const cases::Sequence&)>& take);

}  // namespace fixpoint::generators
