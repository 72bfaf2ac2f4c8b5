#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/runner/learning/program_text.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// Returns the file that a command runs. A name without a slash is searched in PATH, as execvp does.
std::optional<std::string> file_of_command(const std::string& command);

/// Returns true if the interpreter of Python or of Node runs the command, so that it can be observed
/// (backends/program_observer.h): by its name, or by the first line of a script.
bool is_observable(const std::vector<std::string>& argv);

/// Learns the vocabulary of a subject from the programs behind its webhooks and from their sources: from the
/// texts of the scripts that a command line names and of what they import (program_files.h), from the strings
/// of executables, unless one is an interpreter with a script, from the folders of `code`, and from the texts
/// of files that are mounted into it. Keeps a hash of the texts.
void learn_from_programs(runner::Subject& subject, const std::vector<std::string>& code,
                         const std::vector<runner::ProgramText>& mounted);

/// Returns the folders that obviously hold the sources of the subject's programs.
std::vector<std::string> obvious_code_of(const runner::Subject& subject);

/// Returns the error in the folders of sources that a user names, or nothing.
std::optional<document::Error> problem_of_code(const std::vector<std::string>& folders);

}  // namespace fixpoint::external
