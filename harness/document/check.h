#pragma once

namespace fixpoint::document {

/// Stops the program, in every build type, when a rule of the harness itself is broken. Foreign input never
/// gets here: what a Case, a webhook or a file does wrong is a Result.
void check(bool condition, const char* rule, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

}  // namespace fixpoint::document
