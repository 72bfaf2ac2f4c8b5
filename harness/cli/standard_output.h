#pragma once

#include <string_view>

namespace fixpoint::cli {

/// To be called first: from now on the first error of standard output is kept, a standard descriptor that is
/// closed stays out of the way of files, and a file that grows beyond the limit of `ulimit -f` is an error of
/// the write, not a signal.
void watch_standard_output();

/// Prints at once.
void print_now(std::string_view text);

/// Whether a write to standard output has failed: a long run has no reason to go on.
bool is_output_lost();

/// The exit code of a command that answered `code`: kUnfinished, after one line on standard error, when
/// standard output could not be written. A reader that closed the pipe, as `head` does, needs no line. Bad
/// input stays bad input.
int finish_output(int code);

/// Ends standard output before the program ends, so that the reader of a pipe goes on; false when it could
/// not be written.
bool end_standard_output();

}  // namespace fixpoint::cli
