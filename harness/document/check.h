#pragma once

namespace fixpoint::document {

/// Says which rule is broken, and stops the program.
[[noreturn]] void stop(const char* rule, const char* file, int line);

/// Stops the program, in every build type, when a rule of the harness itself is broken. Foreign input never
/// gets here: what a Case, a webhook or a file does wrong is a Result.
inline void check(bool condition, const char* rule, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (!condition) [[unlikely]]
    stop(rule, file, line);
}

}  // namespace fixpoint::document
