#pragma once

#include <string>

#include "harness/cases/finding.h"

namespace fixpoint::runner {

/// Returns the text that alone joins a finding with others of its webhook and part, whatever else differs:
/// the message of a call that fails, what the server or the kubelet says of any element of a list, or an
/// element whose name the webhook derives from the object's, so that it does not recognise it again. Empty if
/// there is none.
std::string thing_of(const cases::Finding& finding, const cases::Cause& cause);

/// Returns what a finding says without the element that it says it of: the kind of list of containers,
/// indices and other numbers.
std::string statement_of(const cases::Finding& finding);

/// Returns a place within a container with the container's key as `added`, the one of a name from the
/// cluster. The container itself is another thing under another name.
std::string under_added_name(const std::string& place);

}  // namespace fixpoint::runner
