#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::runner {

/// Returns the Case with the requests that today's configurations ask for: rules, selectors, match conditions
/// and matchPolicy of each webhook under test, and no reinvocation where today's says Never. Policies and
/// their bindings are replaced as a whole.
cases::Case with_configurations(cases::Case value, std::span<const document::Value> today);

/// Returns the Case with the rules that these configurations give to the webhooks under test.
cases::Case with_rules(cases::Case value, std::span<const document::Value> configurations);

/// A member of a webhook's configuration that differs between two Cases.
struct ChangedMember {
  std::string_view name;
  cases::Case value;   ///< the first Case with only this member of the second
  std::string effect;  ///< "rules leave out UPDATE"
};
/// Returns the members in which the configurations of <configuration>/<webhook> differ.
std::vector<ChangedMember> changed_members(const cases::Case& stored, const cases::Case& today,
                                           std::string_view webhook);

}  // namespace fixpoint::runner
