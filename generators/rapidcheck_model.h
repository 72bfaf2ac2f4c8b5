#pragma once

#include <rapidcheck.h>

#include "generators/draw.h"

namespace fixpoint::generators {

/// Drawn Cases for RapidCheck. One function makes a Case from RapidCheck's randomness, and shrinking goes
/// through reduce(): the structure is fixed, so there is no deep tree of generators behind it.
rc::Gen<Case> any_case(DrawOptions options);

}  // namespace fixpoint::generators

namespace rc {

/// Prints the canonical text of a Case when a property fails.
void showValue(const fixpoint::cases::Case& value, std::ostream& out);

}  // namespace rc
