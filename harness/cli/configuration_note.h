#pragma once

#include <string>

#include "harness/external/backends/stored_case.h"

namespace fixpoint::cli {

/// Returns a sentence if the file that a stored Case was drawn for, by its run's folder or by the policy
/// beside it, now asks for other requests than the Case's configuration says; empty if it does not, or if no
/// such file is known.
std::string configuration_note(const external::StoredCase& stored);

}  // namespace fixpoint::cli
