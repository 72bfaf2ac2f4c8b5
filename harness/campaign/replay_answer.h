#pragma once

#include <string>
#include <vector>

#include "harness/document/limits.h"
#include "harness/external/stored_case.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::campaign {

/// The present result of a stored Case, Sequence or Finding.
struct ReplayAnswer {
  std::string word;                          ///< still failing, fixed, changed, not runnable
  std::string detail;                        ///< for people
  std::vector<cases::TraceStep> calls = {};  ///< if it still fails or has changed: the effect of each call
};

/// A Finding is judged by its own property; it has changed if its fingerprint is gone and another violation
/// shows instead. A bare Case or Sequence is judged by every property.
ReplayAnswer answer_of_replay(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                              const Limits& limits);

/// Replaces every other release of an injector or reconciler with this one.
void put_release_in(external::StoredCase& stored, const std::string& subject);

}  // namespace fixpoint::campaign
