#pragma once

#include <cstdint>
#include <optional>

#include "generators/subjects.h"
#include "harness/document/result.h"

namespace fixpoint::generators {

/// The time for learning in commands that have no time limit of their own.
inline constexpr double kLearningSecondsMax = 15;
/// The share of its time that a run with a time limit spends on learning.
inline constexpr double kShareOfLearning = 0.25;

/// Learns the vocabulary of subjects that come from files from their first calls: of commands, from what
/// their programs look up (external::ProgramObserver), then of all from the results of 64 calls
/// (docs/judging.md#vocabulary). It takes at most `seconds_max` seconds, 0 for no bound; a call takes no
/// longer than that, and at least a second is allowed. Returns an error if a webhook cannot be reached at
/// all.
std::optional<document::Error> learn_from_calls(Subjects& subjects, const external::ExternalWebhooks& outside,
                                                std::uint64_t seed, double seconds_max);
/// Does the same with the caller's own handlers, whose calls are not bounded.
std::optional<document::Error> learn_from_calls(Subjects& subjects, const webhooks::Resolve& resolve,
                                                const Limits& limits, std::uint64_t seed, double seconds_max);

}  // namespace fixpoint::generators
