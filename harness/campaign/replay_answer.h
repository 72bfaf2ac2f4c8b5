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
  std::vector<cases::StoryCall> calls = {};  ///< if it still fails or has changed: the effect of each call
};

/// A Finding is judged by its own property; it has changed when its fingerprint is gone and another violation
/// stands in its place. A bare Case or Sequence is judged by every property.
ReplayAnswer answer_of_replay(const external::StoredCase& stored, const webhooks::Resolve& resolve,
                              const Limits& limits);

/// Puts this release of an injector or reconciler in wherever a release of it stands.
void put_release_in(external::StoredCase& stored, const std::string& subject);

}  // namespace fixpoint::campaign
