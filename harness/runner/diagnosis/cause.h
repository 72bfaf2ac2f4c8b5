#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/runner/examine.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

/// Returns the message without the numbers of ports, processes and times, so that findings can be compared by
/// it.
std::string without_digits(std::string_view message);

/// Returns the cause of a violation that a Case shows: the webhook, the place and the class. A key stays in
/// its place only if the webhook writes it whatever names the user chooses, or looks for it, which a call of
/// the webhook with other names shows. If an injector consists of steps, the one that shows the violation
/// alone is to blame, and the whole if most of them show it, or none alone. `examples` are Pods of users.
cases::Cause cause_of(const Prepared& prepared, const properties::Property& property,
                      const properties::Violation& violation, const webhooks::Resolve& resolve,
                      const Limits& limits, std::span<const document::Value> examples = {});

/// Returns the cause in a Sequence: the place is the command and the kind of the object.
cases::Cause cause_of(const cases::Sequence& value, std::string_view property,
                      const properties::Violation& violation);

}  // namespace fixpoint::runner
