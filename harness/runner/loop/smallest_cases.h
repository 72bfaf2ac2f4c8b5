#pragma once

#include <deque>
#include <string>

#include "harness/runner/loop/run.h"

namespace fixpoint::runner {

/// Returns true if the server would accept the Case's object without the webhooks.
bool is_valid(const RunOptions& options, const cases::Case& value);

/// The smallest Cases of the last findings of a run: one bug often violates several properties. Shrinking
/// from there is much faster, and both findings get the same Case.
class SmallestCases {
 public:
  /// The options must outlive it.
  explicit SmallestCases(const RunOptions& options);

  void keep(const cases::Case& value);
  /// Returns one that also violates the property with this fingerprint (and is valid if the Case is), else
  /// the Case itself.
  const cases::Case& shortcut(const cases::Case& value, const properties::Property& property,
                              const std::string& fingerprint) const;

 private:
  const RunOptions& options_;
  std::deque<Prepared> kept_ = {};
};

}  // namespace fixpoint::runner
