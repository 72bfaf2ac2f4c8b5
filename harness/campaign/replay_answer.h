#pragma once

#include <string>
#include <vector>

#include "harness/document/limits.h"
#include "harness/external/stored_case.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::campaign {

/// The current result of a stored Case, Sequence or Finding.
struct ReplayAnswer {
  std::string word;                          ///< still failing, fixed, changed, not runnable
  std::string detail;                        ///< an explanation for the user
  std::vector<cases::TraceStep> calls = {};  ///< the effect of each call, if a violation shows
};

/// Replays a stored Case, Sequence or Finding. A Finding is judged by its own property; it has changed if its
/// fingerprint is gone and another violation appears instead. A bare Case or Sequence is judged by every
/// property.
ReplayAnswer answer_of_replay(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                              const Limits& limits);

/// Replaces every other release of this injector or reconciler with the given one.
void put_release_in(external::StoredCase& stored, const std::string& subject);

}  // namespace fixpoint::campaign
