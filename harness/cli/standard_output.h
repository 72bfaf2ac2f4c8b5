#pragma once

#include <string_view>

namespace fixpoint::cli {

/// Keeps the first error of standard output, opens /dev/null in the place of every closed standard
/// descriptor, and turns a file that grows beyond `ulimit -f` into a write error instead of a signal. Call it
/// before anything is printed or opened.
void watch_standard_output();

/// Prints the text and flushes standard output.
void print_now(std::string_view text);

/// Returns true if a write to standard output has failed: a long run has no reason to continue.
bool is_output_lost();

/// Returns the exit code of a command that ended with `code`: `code` itself, or kUnfinished if standard
/// output could not be written; then it prints one line on standard error, except when the reader closed the
/// pipe, as `head` does. The code for bad input is kept.
int finish_output(int code);

/// Closes standard output before the program ends, so that the reader of a pipe can go on. Returns false if
/// the output could not be written.
bool end_standard_output();

}  // namespace fixpoint::cli
