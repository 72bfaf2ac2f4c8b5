#pragma once

namespace fixpoint::document {

/// Prints the broken rule and stops the program.
[[noreturn]] void stop(const char* rule, const char* file, int line);

/// Stops the program, in every build type, if an invariant of the harness itself is broken. Errors in foreign
/// input (a Case, a webhook, a file) are reported as a Result instead.
inline void check(bool condition, const char* rule, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (!condition) [[unlikely]]
    stop(rule, file, line);
}

}  // namespace fixpoint::document
