#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cli {

/// The documents of a file, at least one of them; `what` they are, for the error.
document::Result<std::vector<document::Value>> read_some(const std::string& path, const char* what);

/// "FILE: document 2", for errors about one of several.
std::string place_of(const std::string& path, std::size_t index);

/// Prints a document with sorted keys on standard output.
void print_document(const document::Value& value, bool yaml);

}  // namespace fixpoint::cli
