#pragma once

#include <string>
#include <vector>

namespace fixpoint {

/// One file of C++ of the repository, for tests of the house's rules.
struct Source {
  std::string path;  ///< from the top of the repository: harness/document/value.h
  std::string text;
  bool is_header() const { return path.ends_with(".h"); }
  /// Returns true for tests, benchmarks, fuzz targets, models and mains: they may include anything, but only
  /// one another may include them.
  bool is_top_file() const;
};

/// Returns all of them, in byte order of their paths.
const std::vector<Source>& sources();

}  // namespace fixpoint
