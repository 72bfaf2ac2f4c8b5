#pragma once

#include <rapidcheck.h>

#include "generators/draw.h"

namespace fixpoint::generators {

/// Returns a generator of Cases for RapidCheck. One function draws a Case from RapidCheck's randomness, and
/// reduce() shrinks its structure, so there is no deep tree of generators.
rc::Gen<Case> any_case(DrawOptions options);

}  // namespace fixpoint::generators

namespace rc {

/// Prints the canonical text of a Case when a property fails.
void showValue(const fixpoint::cases::Case& value, std::ostream& out);

}  // namespace rc
