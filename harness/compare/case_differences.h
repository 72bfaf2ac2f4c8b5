#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::compare {

/// Two subjects that get the same Cases, each alone in its chain.
struct Pair {
  runner::Subject a, b;
  /// Returns one subject for the generators, with the vocabularies of both.
  runner::Subject both() const;
};

/// Returns the Case without any webhook and policy, to which either subject can be added; for a server that
/// runs policies if there was one.
cases::Case without_webhooks(cases::Case value);
/// Returns the Case with this subject as its chain.
cases::Case with_subject(cases::Case plain, const runner::Subject& subject);

/// One place where the results of both differ.
struct Difference {
  std::string path = {};  ///< keyed: spec.containers[main].env[LOG].value; "answer" if one is refused
  std::string of_a = {}, of_b = {};  ///< the values at the path, as text
  std::string fingerprint = {};      ///< of the path's shape and the side without the path
};

/// The results of both subjects on one Case.
struct Compared {
  std::vector<Difference> differences = {};
  bool has_acted = false;  ///< one of the subjects acted (docs/judging.md#acted)
};

/// Returns the differences between both subjects for a Case without webhooks, one per kind: a part that one
/// side lacks counts once, and irrelevant order is ignored by the rule that also compares orders of webhooks.
/// Empty if a subject cannot run.
Compared compared(const cases::Case& plain, const Pair& pair, const webhooks::Resolve& resolve,
                  const Limits& limits);

/// Returns true if a server without the webhooks takes the object of the Case.
bool is_valid(const cases::Case& plain, const webhooks::Resolve& resolve, const Limits& limits);

/// The smallest Case, without webhooks, on which the results still have this difference.
struct SmallestDifference {
  cases::Case plain;
  Difference difference;
};
SmallestDifference shrink(const cases::Case& plain, const Difference& difference, const Pair& pair,
                          const webhooks::Resolve& resolve, const Limits& limits);

}  // namespace fixpoint::compare
