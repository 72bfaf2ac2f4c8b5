#pragma once

#include <cstddef>

#include "harness/cases/case.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::generators {

/// Gives the Case that option of the trigger: 0 removes it, i + 1 sets values[i]. A cluster object that the
/// value names (a ServiceAccount, a PriorityClass, a RuntimeClass) is added to the cluster: without it the
/// server would refuse the Pod.
void put_trigger(cases::Case& value, const runner::Trigger& trigger, std::size_t option);

/// Gives the request a user of that name with the groups that a server gives it, or gives the user that group
/// beside these, depending on the key (trigger.h); null removes it.
void put_user(cases::Case& value, std::string_view key, const document::Value& text);

}  // namespace fixpoint::generators
