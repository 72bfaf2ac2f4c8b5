#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/cases/case.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::generators {

/// The reply of a webhook to a Case: it changed the Pod, or refused it with the message `denial`.
struct Reply {
  bool has_changed = false;
  std::string denial = {};
};
/// Calls the webhook; returns nothing if no more calls may be made.
using Ask = std::function<std::optional<Reply>(const cases::Case&)>;

/// Searches for a Case that a webhook changes, starting from a Case that the webhook refuses with the given
/// message. A label or annotation whose key or value occurs in the message gets a value of the kind that the
/// message asks for, or is removed; one that the message misses is added. A step is kept if the webhook
/// replies with a new message. The vocabulary learns from each step: it gains values of the right kind and
/// loses the refused ones, and the keys that the Case needs are no longer rare. Returns nothing once no step
/// helps.
std::optional<cases::Case> answer_denials(runner::Vocabulary& prepared_vocabulary, cases::Case denied,
                                          std::string message, const Ask& ask);

}  // namespace fixpoint::generators
