#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/compare/chain_advice.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::compare {

using Order = std::vector<std::size_t>;  ///< indices of the members of a chain

/// The arrangement of a chain in a Case.
struct Arrangement {
  Order order = {};                       ///< empty: by their names, as in a cluster
  bool all_if_needed = false;             ///< false: as configured
  std::optional<std::size_t> alone = {};  ///< the only member that is present
  std::string never = {};                 ///< <configuration>/<webhook> that is not reinvoked
};

/// Returns the name of the member's configuration or policy.
std::string name_of(const runner::Subject& member);

/// Returns the Case with the chain added. A numbered prefix of its name gives a configuration its position in
/// the order; that of policies is in the Case.
cases::Case arranged(cases::Case value, const Chain& chain, const Arrangement& arrangement);

/// Returns the orders to try, that of the names first: all of up to four members, else that one and its
/// reverse. Policies run before webhooks in each of them.
std::vector<Order> orders_of(const Chain& chain);

}  // namespace fixpoint::compare
