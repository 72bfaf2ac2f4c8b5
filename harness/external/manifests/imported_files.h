#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/learning/program_text.h"

namespace fixpoint::external {

/// The folders in which the imports of a program are searched besides the folder of the importing file: for
/// Python the folder of the script, and others that a script adds to `sys.path`.
using ImportFolders = std::vector<std::string>;

/// Returns the existing files that a text of Python, JavaScript, TypeScript, Ruby or Go imports, in their
/// order: modules, packages and relative imports of Python; paths and packages of Node, by package.json;
/// `require_relative` of Ruby; packages of the module to which a file of Go belongs. Installed packages of
/// Python are left out. Paths may occur twice.
std::vector<std::string> imported_files(const runner::ProgramText& file, const ImportFolders& folders);

/// Returns the existing documents of JSON or YAML that literals of a source name, seen from its folder, from
/// one of these or from the working directory: the configuration that the program reads.
std::vector<std::string> named_documents(const runner::ProgramText& file, ImportFolders folders);

/// Returns true for the path of a document of JSON or YAML.
bool is_document(std::string_view path);

/// Returns the folders that a script of Python adds to `sys.path`, as far as they exist.
ImportFolders added_folders(const runner::ProgramText& script);

/// Returns the files of a Python module that is run or imported by its dotted name: those of the packages
/// around it, and `__main__.py` of a package. Empty if the folder has no such module.
std::vector<std::string> python_module(const std::string& folder, const std::string& module);

/// Returns the file that Node runs or imports for a path without a suffix, or for a folder; empty if there is
/// none.
std::string node_module(const std::string& path);

/// Returns the files of Go in a folder, without tests.
std::vector<std::string> go_package(const std::string& folder);

}  // namespace fixpoint::external
