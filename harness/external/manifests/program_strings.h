#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// Returns the file that a command runs. A name without a slash is searched in PATH, as execvp does.
std::optional<std::string> file_of_command(const std::string& command);

/// Learns a vocabulary from the program that a command line runs: from the text of the scripts that it names,
/// and from the strings of an executable, unless that is an interpreter with a script. The first 256 MB of a
/// file are read, in blocks. A file that cannot be read is ignored: running the command shows what is wrong.
void learn_from_command(runner::Vocabulary& words, const std::vector<std::string>& argv);

}  // namespace fixpoint::external
