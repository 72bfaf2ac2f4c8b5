#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/json.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// Reads the documents of a stream: consecutive JSON documents if all of it is JSON, otherwise YAML; a text
/// of ours that begins with `{` must be JSON. Errors name the number of the document, line, column and JSON
/// pointer.
Result<std::vector<Value>> read_stream(std::string_view text, const Limits& limits = {},
                                       Strictness strictness = Strictness::ours);

/// The text of a regular file. Anything else (a folder, a device, a pipe, a symbolic link that leads nowhere)
/// and a file of more than Limits::file_bytes_max is an error that names the file.
Result<std::string> read_text_file(const std::string& path, const Limits& limits = {});

/// Reads the documents of a file. Errors begin with the file's name: `FILE: document N: line L, column C, at
/// POINTER: message`. A file that is not YAML because it is a Helm template, not rendered, is named as one.
Result<std::vector<Value>> read_file(const std::string& path, const Limits& limits = {},
                                     Strictness strictness = Strictness::ours);

/// The documents of a file, or of standard input for "-".
Result<std::vector<Value>> read_documents(const std::string& path,
                                          Strictness strictness = Strictness::foreign,
                                          const Limits& limits = {});

}  // namespace fixpoint::document
