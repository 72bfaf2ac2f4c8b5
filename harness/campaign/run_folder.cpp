#include "harness/campaign/run_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::campaign {

namespace files = std::filesystem;
using document::Error;

namespace {

constexpr std::array<std::string_view, 5> kFilesOfARun{"run.json", "events.ndjson", "checkpoint.json",
                                                       "bench.ndjson", kLockName};
/// The limit on tries to open a folder: an earlier run may be moved while its folder is inspected.
constexpr int kOpenTriesMax = 16;

Unopened refusal_of(std::string message, const files::path& folder) {
  return {{std::move(message), folder.string()}, kBadInput};
}
Unopened refusal_of(Error error) { return {std::move(error), kBadInput}; }
Unopened failure_of(Error error) { return {std::move(error), kUnfinished}; }

/// Renames FOLDER to FOLDER.1, FOLDER.1 to FOLDER.2, and so on.
void move_away(const files::path& folder, FolderLock& lock, std::error_code& problem) {
  int last = 1;
  const auto numbered = [&](int number) {
    return files::path(folder.string() + "." + std::to_string(number));
  };
  while (files::exists(numbered(last), problem)) ++last;
  for (int number = last; number > 1 && !problem; --number)
    files::rename(numbered(number - 1), numbered(number), problem);
  if (!problem) files::rename(folder, numbered(1), problem);
  if (!problem) lock.moved_to(numbered(1).string());
}

bool has_entries(const files::path& folder, std::error_code& problem) {
  return files::is_directory(folder, problem) && !files::is_empty(folder, problem);
}

/// Returns true if the folder holds an earlier run, complete or cut off.
bool has_results(const files::path& folder) {
  std::error_code problem;  // most of these files do not exist
  if (files::exists(folder / "run.json", problem)) return true;
  return files::exists(folder / "events.ndjson", problem) &&
         (has_entries(folder / "findings", problem) || has_entries(folder / "cases", problem) ||
          files::exists(folder / "checkpoint.json", problem));
}

/// Returns true if a folder inside a run's folder belongs to another run, like run/gate.
bool is_run_within(const files::path& folder) {
  std::error_code problem;
  return files::exists(folder / "run.json", problem) || files::exists(folder / "events.ndjson", problem) ||
         files::exists(folder / kLockName, problem);
}

/// Returns true if the folder holds only runs: a gate keeps its runs in runs/1, runs/2, …
bool has_runs_alone(const files::path& folder) {
  std::error_code problem;
  const files::directory_iterator entries(folder, problem);
  return !problem && std::all_of(begin(entries), end(entries), [](const files::directory_entry& entry) {
    return is_run_within(entry.path());
  });
}

bool is_of_a_run(const files::directory_entry& entry) {
  std::error_code problem;
  if (entry.is_symlink(problem)) return false;
  const std::string name = entry.path().filename().string();
  if (entry.is_directory(problem))
    return name == "findings" || name == "cases" || is_run_within(entry.path()) ||
           (name == "runs" && has_runs_alone(entry.path()));
  if (!entry.is_regular_file(problem)) return false;
  return std::find(kFilesOfARun.begin(), kFilesOfARun.end(), name) != kFilesOfARun.end() ||
         entry.path().extension() == ".part";
}

/// Returns the first entry by name that does not belong to a run. Findings and Cases without events do not.
std::optional<files::path> stranger_in(const files::path& folder, std::error_code& problem) {
  std::vector<files::path> strangers;
  for (const auto& entry : files::directory_iterator(folder, problem))
    if (!is_of_a_run(entry)) strangers.push_back(entry.path());
  if (!has_results(folder)) {
    for (const char* below : {"findings", "cases"}) {
      std::error_code absent;
      for (const auto& entry : files::directory_iterator(folder / below, absent))
        strangers.push_back(entry.path());
    }
  }
  if (strangers.empty()) return std::nullopt;
  return std::min_element(strangers.begin(), strangers.end())->lexically_relative(folder);
}

/// Returns an error if another run holds a folder inside the one that is to be moved.
std::optional<Unopened> held_within(const files::path& folder) {
  std::error_code problem;
  for (const auto& entry : files::directory_iterator(folder, problem)) {
    std::error_code none;
    if (!entry.is_directory(none) || !files::exists(entry.path() / kLockName, none)) continue;
    const auto taken = FolderLock::take(entry.path().string());
    if (const auto* held = std::get_if<FolderLock::Held>(&taken)) return refusal_of(held->error);
  }
  return std::nullopt;
}

/// Returns the reason why a run must not be written to this folder in its current state.
std::optional<Unopened> unfit(const files::path& folder) {
  std::error_code problem;
  const auto status = files::symlink_status(folder, problem);
  if (files::is_symlink(status)) return refusal_of("expected a folder, found a symbolic link", folder);
  if (!files::exists(status)) return std::nullopt;
  if (!files::is_directory(status)) return refusal_of("expected a folder, found a file", folder);
  problem.clear();
  const auto stranger = stranger_in(folder, problem);
  if (problem) return failure_of({problem.message(), folder.string()});
  if (stranger) {
    return refusal_of("expected the folder of a run, found " + stranger->string() + ": name another folder",
                      folder);
  }
  return std::nullopt;
}

/// Returns the first symbolic link among the entries of a run's folder: what is written through it would be
/// elsewhere.
std::optional<files::path> link_in(const files::path& folder) {
  for (const char* below : {"", "findings", "cases"}) {
    std::error_code problem;
    for (const auto& entry : files::directory_iterator(folder / below, problem))
      if (std::error_code none; entry.is_symlink(none)) return entry.path().lexically_relative(folder);
  }
  return std::nullopt;
}

/// Removes the files that write_file() left unfinished when the program was killed.
void remove_unfinished(const files::path& folder, std::error_code& problem) {
  std::vector<files::path> parts;
  std::error_code absent;
  for (const auto& entry : files::directory_iterator(folder, absent)) {
    if (entry.path().extension() == ".part") parts.push_back(entry.path());
  }
  for (const files::path& part : parts) files::remove(part, problem);
}

}  // namespace

std::optional<Error> not_of_a_run(const std::string& folder, const std::string& file) {
  std::error_code problem;
  if (!files::exists(folder, problem))
    return Error{"there is no such folder: expected that of a run, the --out of `fuzz` or `gate` (run/)",
                 folder};
  if (files::exists(files::path(folder) / file, problem)) return std::nullopt;
  const char* what = files::is_directory(folder, problem) ? "without " : "a file, without ";
  return Error{"this is not the folder of a run (" + std::string(what) + file +
                   "): expected the --out of `fuzz` or `gate`",
               folder};
}

RunFolder::Opened RunFolder::open(const std::string& path) {
  files::path folder(path);
  if (!folder.has_filename()) folder = folder.parent_path();
  for (int tries = 0; tries < kOpenTriesMax; ++tries) {
    if (auto problem = unfit(folder)) return *std::move(problem);
    if (auto problem = document::make_private_folder(folder.string())) return failure_of(*std::move(problem));
    auto taken = FolderLock::take(folder.string());
    if (auto* held = std::get_if<FolderLock::Held>(&taken)) return refusal_of(std::move(held->error));
    if (auto* error = std::get_if<Error>(&taken)) {
      std::error_code problem;
      if (!files::exists(folder, problem)) continue;  // the folder was moved away
      return failure_of(std::move(*error));
    }
    auto& lock = std::get<FolderLock>(taken);
    if (!has_results(folder)) return with_events(folder.string(), std::move(lock), 0);
    if (auto problem = held_within(folder)) return *std::move(problem);
    std::error_code problem;
    move_away(folder, lock, problem);
    if (problem) return failure_of({"cannot be moved away: " + problem.message(), folder.string()});
  }
  return refusal_of("other runs come and go in it: name another folder", folder);
}

RunFolder::Opened RunFolder::open_again(const std::string& path, std::uint64_t events_bytes) {
  std::error_code problem;
  if (files::is_symlink(path, problem)) return refusal_of("expected a folder, found a symbolic link", path);
  if (const auto link = link_in(path))
    return refusal_of("expected the folder of a run, found the symbolic link " + link->string(), path);
  auto taken = FolderLock::take(path);
  if (auto* held = std::get_if<FolderLock::Held>(&taken)) return refusal_of(std::move(held->error));
  if (auto* error = std::get_if<Error>(&taken)) return failure_of(std::move(*error));
  files::remove(files::path(path) / "run.json", problem);
  for (const char* below : {"", "findings", "cases"})
    if (!problem) remove_unfinished(files::path(path) / below, problem);
  if (problem) return failure_of({problem.message(), path});
  return with_events(path, std::move(std::get<FolderLock>(taken)), events_bytes);
}

RunFolder::Opened RunFolder::with_events(const std::string& path, FolderLock lock, std::uint64_t bytes) {
  for (const std::string& folder : {path, path + "/findings"})
    if (auto problem = document::make_private_folder(folder)) return failure_of(*std::move(problem));
  auto events = document::GrowingFile::open(path + "/events.ndjson", document::GrowingFile::Writers::one);
  if (!events) return failure_of(events.error());
  if (auto problem = events->cut(bytes)) return failure_of(*std::move(problem));
  RunFolder run(path, std::move(lock), *std::move(events));
  run.events_bytes_ = bytes;
  return run;
}

document::Result<std::string> RunFolder::save(const cases::Finding& finding) {
  if (!document::is_file_name(finding.fingerprint))
    return Error{"expected a fingerprint, found \"" + finding.fingerprint + "\"", path_};
  const std::string file = path_ + "/findings/" + finding.fingerprint + ".json";
  const std::string text = document::write_json_pretty(cases::write_finding(finding));
  if (auto problem = document::write_file(file, text, document::Readers::owner)) return *problem;
  return file;
}

document::Result<std::string> RunFolder::save_case(const std::string& name, const std::string& text) {
  if (!document::is_file_name(name))
    return Error{"expected a name that can be a file's, found \"" + name + "\"", path_};
  const std::string folder = path_ + "/cases", file = folder + "/" + name + ".json";
  if (auto problem = document::make_private_folder(folder)) return *problem;
  if (auto lost = document::write_file(file, text, document::Readers::owner)) return *lost;
  return file;
}

std::optional<Error> RunFolder::append(const document::Value& event) {
  const std::string line = document::write_json(event) + "\n";
  if (auto lost = events_.append(line)) return lost;
  events_bytes_ += line.size();
  return std::nullopt;
}

std::optional<Error> RunFolder::checkpoint(const document::Value& state) {
  if (auto lost = events_.flush()) return lost;
  return document::write_file(path_ + "/checkpoint.json", document::write_json_pretty(state),
                              document::Readers::owner);
}

std::optional<Error> RunFolder::finish(const document::Value& summary) {
  if (auto lost = events_.flush()) return lost;
  return document::write_file(path_ + "/run.json", document::write_json_pretty(summary),
                              document::Readers::owner);
}

}  // namespace fixpoint::campaign
