#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cli {

/// Reads the documents of a file; an error if there are none. `what` names the kind of document in the error.
document::Result<std::vector<document::Value>> read_some(const std::string& path, const char* what);

/// Replaces each List by its items, and each workload with a Pod template, such as a Deployment, by the Pod
/// of its template, which is said on standard error; `path` names the file.
void take_pod_templates(std::vector<document::Value>& documents, const std::string& path);

/// Returns "FILE: document 2", for errors about one of several documents; `index` counts from 0.
std::string place_of(const std::string& path, std::size_t index);

/// Prints a document with sorted keys on standard output.
void print_document(const document::Value& value, bool yaml);

}  // namespace fixpoint::cli
