#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/cases/case.h"
#include "harness/runner/subject.h"

namespace fixpoint::generators {

/// The reply of a webhook to a Case: it changed the Pod, or refused it with that message.
struct Reply {
  bool has_changed = false;
  std::string denial = {};
};
/// Calls the webhook; returns nothing if no more calls may be made.
using Ask = std::function<std::optional<Reply>(const cases::Case&)>;

/// Looks for a Case that a webhook changes, beginning with one that it refuses with that message. A label or
/// an annotation whose key or value the message names gets a value of the kind that it asks for, or is left
/// out; one that the message misses is added. A step that brings another message is kept, and what it taught
/// joins the vocabulary: values of the right kind, and without those that were refused. The keys that the
/// Case needs are rare no longer. Nothing if no step helps any more.
std::optional<cases::Case> answer_denials(runner::Vocabulary& prepared_vocabulary, cases::Case denied,
                                          std::string message, const Ask& ask);

}  // namespace fixpoint::generators
