#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/conformance/vectors.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// The number of lines of a file of vectors by result.
struct FileCounts {
  Counts all = {};
  std::map<std::string, Counts> by_kind = {};
};

/// Checks a file line by line, so that a large one needs little memory, and calls `each` for every line. An
/// error for a line that is not JSON.
document::Result<FileCounts> check_file(
    const std::string& path, const std::function<void(const document::Value& line, const Compared&)>& each);

}  // namespace fixpoint::conformance
