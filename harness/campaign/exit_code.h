#pragma once

namespace fixpoint::campaign {

/// The exit codes of every command (documented in --help, tested, never mixed).
enum ExitCode : int { kNothingFound = 0, kFound = 1, kBadInput = 2, kUnfinished = 3, kInterrupted = 130 };

}  // namespace fixpoint::campaign
