#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/runner/examine.h"
#include "harness/runner/shrink_pass.h"

namespace fixpoint::runner {

struct Shrunk {
  cases::Case value;
  properties::Violation violation;
  std::int64_t steps = 0;  ///< reductions that kept the fingerprint
  std::size_t tries = 0;
};

/// Returns the smallest Case that `reduce` leads to and that still shows the fingerprint for the same reason,
/// within limits.shrink_tries_max tries. It has no duplicate and no invalid field that the Case lacks. A Pod
/// that is valid before the webhooks stays valid, and so does one that becomes valid on the way: only such a
/// Case can occur in a real cluster. The result depends on the arguments alone. Nothing if the Case itself
/// does not show the fingerprint. `together` changes the time alone.
std::optional<Shrunk> shrink(const cases::Case& value, const properties::Property& property,
                             std::string_view wanted, const webhooks::Resolve& resolve, const Reduce& reduce,
                             const Limits& limits, const Together& together = {});

/// Returns a shrunk Case of a plain namespace (cases::plain_namespace), where webhooks are asked beside
/// others, in the one that everybody knows, `default`. Nothing if it is in another, or does not show the
/// violation there.
std::optional<Shrunk> in_default_namespace(const Shrunk& shrunk, const properties::Property& property,
                                           std::string_view wanted, const webhooks::Resolve& resolve,
                                           const Limits& limits);

/// Returns the fingerprints of a Case's violations of the properties that are judged by its admission alone.
std::set<std::string> violations_of_admission(const Prepared& prepared, const Limits& limits);

/// Returns the webhooks whose removal heals the Case, in the order of their last calls
/// (docs/judging.md#blame).
std::vector<std::string> blame(const cases::Case& value, const properties::Property& property,
                               std::string_view wanted, const webhooks::Resolve& resolve,
                               const Limits& limits);

/// Returns the number of scalars of a Pod, empty lists and empty maps counted as one each, without apiVersion
/// and kind (docs/judging.md#shrinking).
std::size_t scalar_count(const document::Value& pod);

}  // namespace fixpoint::runner
