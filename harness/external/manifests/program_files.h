#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/runner/learning/program_text.h"

namespace fixpoint::external {

/// The bounds on what is read of a program, and of a folder of sources.
struct ProgramLimits {
  std::size_t file_bytes_max = 1u << 20;
  std::size_t files_max = 5'000;
  std::size_t bytes_max = 64u << 20;
};

/// The files of a program: its texts, those that it begins with first, and its executables.
struct ProgramFiles {
  std::vector<runner::ProgramText> texts = {};
  std::vector<std::string> executables = {};
};

/// Returns the files of the program that a command line runs: those that the line names, and what they
/// import (imported_files.h). `python -m`, `go run`, `npm run`, a folder in the place of a script, and the
/// commands of shell scripts are followed. A file that cannot be read, a device and a link that leads out of
/// its folder are passed over: running the command shows what is wrong.
ProgramFiles files_of_command(const std::vector<std::string>& argv, const ProgramLimits& limits = {});

/// Returns the sources, manifests and documents in a folder and below it, by their names; those of vendored
/// and generated folders last. `--code` reads them.
std::vector<runner::ProgramText> files_of_folder(const std::string& folder, const ProgramLimits& limits = {});

/// Returns the folder that is obviously that of a command's sources: the one of a go.mod above an executable,
/// or that of a script beside which the manifest of a package stands (package.json, pyproject.toml, …). Empty
/// if there is none.
std::string source_folder_of(const std::vector<std::string>& argv);

/// Returns true for an ELF executable.
bool is_executable_format(const std::string& path);

}  // namespace fixpoint::external
