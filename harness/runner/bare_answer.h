#pragma once

#include <string_view>
#include <vector>

#include "harness/runner/replay_answer.h"

namespace fixpoint::runner {

/// Judges a bare Case or Sequence by all properties, or by the one with this name: the violations, the worst
/// first, or one answer that is none of them.
std::vector<Answer> answers_of(const cases::Case& value, std::string_view property, const ReplayWith& with);
std::vector<Answer> answers_of(const cases::Sequence& value, std::string_view property,
                               const ReplayWith& with);

}  // namespace fixpoint::runner
