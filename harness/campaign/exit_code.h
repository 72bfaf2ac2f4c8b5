#pragma once

namespace fixpoint::campaign {

/// The exit codes of all commands. They are documented in --help, and each has a single meaning.
enum ExitCode : int { kNothingFound = 0, kFound = 1, kBadInput = 2, kUnfinished = 3, kInterrupted = 130 };

}  // namespace fixpoint::campaign
