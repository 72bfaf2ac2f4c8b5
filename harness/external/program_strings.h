#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/runner/subject.h"

namespace fixpoint::external {

/// The file that runs when a command is called: one without a slash is looked for in PATH, as execvp does.
std::optional<std::string> file_of_command(const std::string& command);

/// Learns from the program that a command line runs: from the text of the scripts that it names, and from the
/// strings of an executable unless that is an interpreter with a script. Of a large file the first 256 MB are
/// read, in blocks. A file that cannot be read teaches nothing: the command itself says what is wrong.
void learn_from_command(runner::Vocabulary& words, const std::vector<std::string>& argv);

}  // namespace fixpoint::external
