#include "harness/program/run_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "harness/document/json.h"
#include "harness/program/program.h"

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

}  // namespace

document::Result<RunFolder> RunFolder::open(const std::string& path) {
  files::path folder(path);
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"expected a folder, found a symbolic link", path};
  if (files::exists(folder / "run.json", problem)) {
    move_away(folder, problem);
  } else {
    files::remove_all(folder / "findings", problem);
    if (!problem) files::remove_all(folder / "cases", problem);
  }
  if (!problem) files::create_directories(folder / "findings", problem);
  if (problem) return Error{problem.message(), path};
  RunFolder run(folder.string());
  run.events_ = std::fopen((folder / "events.ndjson").c_str(), "we");
  if (run.events_ == nullptr) return Error{std::strerror(errno), (folder / "events.ndjson").string()};
  return run;
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), events_(std::exchange(other.events_, nullptr)) {}

RunFolder::~RunFolder() {
  if (events_ != nullptr) std::fclose(events_);
}

document::Result<std::string> RunFolder::save(const cases::Finding& finding) {
  const std::string file = path_ + "/findings/" + finding.fingerprint + ".json";
  if (auto problem = write_file(file, document::write_json_pretty(cases::write_finding(finding))))
    return *problem;
  return file;
}

document::Result<std::string> RunFolder::save_case(const cases::Case& value) {
  const files::path folder = files::path(path_) / "cases";
  std::error_code problem;
  files::create_directories(folder, problem);
  if (problem) return Error{problem.message(), folder.string()};
  const std::string file = (folder / (value.name + ".json")).string();
  if (auto lost = write_file(file, cases::canonical_text(value))) return *lost;
  return file;
}

std::optional<Error> RunFolder::append(const document::Value& event) {
  const std::string line = document::write_json(event) + "\n";
  if (std::fwrite(line.data(), 1, line.size(), events_) == line.size() && std::fflush(events_) == 0)
    return std::nullopt;
  return Error{std::strerror(errno), path_ + "/events.ndjson"};
}

std::optional<Error> RunFolder::finish(const document::Value& summary) {
  return write_file(path_ + "/run.json", document::write_json_pretty(summary));
}

}  // namespace fixpoint::program
