#pragma once

#include <string_view>

namespace fixpoint::cli {

/// To be called first: from now on the first error of standard output is kept, a standard descriptor that is
/// closed stays out of the way of files, and a file that grows beyond the limit of `ulimit -f` is an error of
/// the write, not a signal.
void watch_standard_output();

/// Prints at once.
void print_now(std::string_view text);

/// Returns true if a write to standard output has failed: a long run has no reason to continue.
bool is_output_lost();

/// Returns the exit code of a command that ended with `code`: kUnfinished, after one line on standard error,
/// if standard output could not be written. A reader that closed the pipe, as `head` does, needs no line. The
/// code for bad input is kept.
int finish_output(int code);

/// Ends standard output before the program ends, so that the reader of a pipe goes on; false when it could
/// not be written.
bool end_standard_output();

}  // namespace fixpoint::cli
