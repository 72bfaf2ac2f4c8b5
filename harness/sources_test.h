#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/patterns_model.h"

namespace fixpoint {

/// A file of this repository, for tests of how it is written.
struct Source {
  std::string path;  ///< from the top of the repository: harness/document/value.h
  std::string text;
  bool is_header() const { return path.ends_with(".h"); }
  /// Returns true for tests, benchmarks, fuzz targets, models and mains: they may include anything, but only
  /// one another may include them.
  bool is_top_file() const {
    return is_found(path, "_(test|bench|fuzz|main|model)\\.(cpp|h)$") || path.ends_with("_replay.cpp");
  }
};

/// Returns all headers and sources, by path.
inline const std::vector<Source>& sources() {
  namespace files = std::filesystem;
  static const std::vector<Source> all = [] {
    std::vector<Source> found;
    for (const char* top : {"harness", "generators", "injectors", "corpus", "reports"}) {
      for (const auto& entry : files::recursive_directory_iterator(files::path(FIXPOINT_SOURCE) / top)) {
        const auto extension = entry.path().extension();
        if (extension != ".h" && extension != ".cpp") continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        found.push_back({files::relative(entry.path(), FIXPOINT_SOURCE).string(), text.str()});
      }
    }
    std::sort(found.begin(), found.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
    return found;
  }();
  return all;
}

}  // namespace fixpoint
