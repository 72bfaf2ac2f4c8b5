#include "harness/program/run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "harness/document/json.h"
#include "harness/program/corpus_files.h"

namespace fixpoint::program {

namespace files = std::filesystem;
using document::Error;

namespace {

/// FOLDER becomes FOLDER.1, FOLDER.1 becomes FOLDER.2, …
void move_away(const files::path& folder, std::error_code& problem) {
  int last = 1;
  const auto numbered = [&](int number) {
    return files::path(folder.string() + "." + std::to_string(number));
  };
  while (files::exists(numbered(last), problem)) ++last;
  for (int number = last; number > 1 && !problem; --number)
    files::rename(numbered(number - 1), numbered(number), problem);
  if (!problem) files::rename(folder, numbered(1), problem);
}

bool has_entries(const files::path& folder, std::error_code& problem) {
  return files::is_directory(folder, problem) && !files::is_empty(folder, problem);
}

enum class Holds { nothing, a_run, something_else };

/// What stands in a folder that a run is to be written to: a run is one with results, complete or cut off.
Holds holds(const files::path& folder, std::error_code& problem) {
  const bool has_results =
      has_entries(folder / "findings", problem) || has_entries(folder / "cases", problem);
  problem.clear();  // most of these are not there
  if (files::exists(folder / "run.json", problem)) return Holds::a_run;
  if (!files::exists(folder / "events.ndjson", problem))
    return has_results ? Holds::something_else : Holds::nothing;
  return has_results || files::exists(folder / "checkpoint.json", problem) ? Holds::a_run : Holds::nothing;
}

/// What write_file() had begun when the program was killed.
void remove_unfinished(const files::path& folder, std::error_code& problem) {
  std::vector<files::path> parts;
  for (const auto& entry : files::directory_iterator(folder, problem)) {
    if (entry.path().extension() == ".part") parts.push_back(entry.path());
  }
  for (const files::path& part : parts) files::remove(part, problem);
}

}  // namespace

document::Result<RunFolder> RunFolder::open(const std::string& path) {
  files::path folder(path);
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"expected a folder, found a symbolic link", path};
  switch (holds(folder, problem)) {
    case Holds::nothing:
      break;
    case Holds::a_run:
      move_away(folder, problem);
      break;
    case Holds::something_else:
      return Error{"expected a folder of runs, found findings or cases without events.ndjson", path};
  }
  if (!problem) files::create_directories(folder / "findings", problem);
  if (problem) return Error{problem.message(), path};
  RunFolder run(folder.string());
  if (auto lost = run.open_events(0)) return *std::move(lost);
  return run;
}

document::Result<RunFolder> RunFolder::open_again(const std::string& path, std::uint64_t events_bytes) {
  std::error_code problem;
  if (files::is_symlink(path, problem)) return Error{"expected a folder, found a symbolic link", path};
  files::remove(files::path(path) / "run.json", problem);
  if (!problem) files::create_directories(files::path(path) / "findings", problem);
  if (!problem) remove_unfinished(files::path(path) / "findings", problem);
  if (problem) return Error{problem.message(), path};
  RunFolder run(path);
  if (auto lost = run.open_events(events_bytes)) return *std::move(lost);
  return run;
}

std::optional<Error> RunFolder::open_events(std::uint64_t bytes) {
  const std::string file = path_ + "/events.ndjson";
  events_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (events_ < 0 || ftruncate(events_, static_cast<off_t>(bytes)) != 0)
    return Error{std::strerror(errno), file};
  events_bytes_ = bytes;
  return std::nullopt;
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)),
      events_(std::exchange(other.events_, -1)),
      events_bytes_(other.events_bytes_) {}

RunFolder::~RunFolder() {
  if (events_ >= 0) close(events_);
}

document::Result<std::string> RunFolder::save(const cases::Finding& finding) {
  if (!is_file_name(finding.fingerprint))
    return Error{"expected a fingerprint, found \"" + finding.fingerprint + "\"", path_};
  const std::string file = path_ + "/findings/" + finding.fingerprint + ".json";
  if (auto problem = write_file(file, document::write_json_pretty(cases::write_finding(finding))))
    return *problem;
  return file;
}

document::Result<std::string> RunFolder::save_case(const std::string& name, const std::string& text) {
  if (!is_file_name(name))
    return Error{"expected a name that can be a file's, found \"" + name + "\"", path_};
  const files::path folder = files::path(path_) / "cases";
  std::error_code problem;
  files::create_directories(folder, problem);
  if (problem) return Error{problem.message(), folder.string()};
  const std::string file = (folder / (name + ".json")).string();
  if (auto lost = write_file(file, text)) return *lost;
  return file;
}

std::optional<Error> RunFolder::append(const document::Value& event) {
  const std::string line = document::write_json(event) + "\n";
  // One write a line. What a kill cuts off of the last one is no event, and goes with the next start.
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t wrote = write(events_, line.data() + at, line.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Error{std::strerror(errno), path_ + "/events.ndjson"};
    at += static_cast<std::size_t>(wrote);
  }
  events_bytes_ += line.size();
  return std::nullopt;
}

std::optional<Error> RunFolder::checkpoint(const document::Value& state) {
  if (fdatasync(events_) != 0) return Error{std::strerror(errno), path_ + "/events.ndjson"};
  return write_file(path_ + "/checkpoint.json", document::write_json_pretty(state));
}

std::optional<Error> RunFolder::finish(const document::Value& summary) {
  return write_file(path_ + "/run.json", document::write_json_pretty(summary));
}

}  // namespace fixpoint::program
