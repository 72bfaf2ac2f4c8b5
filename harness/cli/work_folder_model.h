#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fixpoint::cli {

/// A folder for one test, removed afterwards, in which commands run.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& name);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  std::string path(const std::string& name = "") const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  struct Ran {
    int code;
    std::string out, err;
  };
  /// Runs a line of bash in the folder; its output is also in the files `out` and `err`.
  Ran shell(const std::string& line) const;
  /// Runs the program in the folder with these arguments and this corpus.
  Ran run(const std::string& program, const std::string& corpus, const std::string& arguments) const;
  /// Returns the names of the files in a subfolder, sorted.
  std::vector<std::string> names(const std::string& below) const;

 private:
  std::filesystem::path folder_;
};

/// Returns the text of events without the values of milliseconds, seconds and rate, in which two equal runs
/// differ.
std::string timeless(const std::string& events);

}  // namespace fixpoint::cli
