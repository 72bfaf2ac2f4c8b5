#include "harness/source_files_model.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/patterns_model.h"

namespace fixpoint {

namespace files = std::filesystem;

bool Source::is_top_file() const {
  return is_found(path, "_(test|bench|fuzz|main|model)\\.(cpp|h)$") || path.ends_with("_replay.cpp");
}

const std::vector<Source>& sources() {
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
