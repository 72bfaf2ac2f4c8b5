#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fixpoint::cli {

/// A folder for one test, gone afterwards, in which commands run.
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
  /// A line of bash, in the folder; what it writes stands in the files `out` and `err`, too.
  Ran shell(const std::string& line) const;
  /// The program with these arguments and the repository's corpus.
  Ran run(const std::string& program, const std::string& corpus, const std::string& arguments) const;
  /// The names of the files in a folder below, sorted.
  std::vector<std::string> names(const std::string& below) const;

 private:
  std::filesystem::path folder_;
};

/// The text of events without what differs between two equal runs: the values of milliseconds, seconds, rate.
std::string timeless(const std::string& events);

}  // namespace fixpoint::cli
