#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "harness/campaign/exit_code.h"
#include "harness/campaign/folder_lock.h"
#include "harness/cases/finding.h"
#include "harness/document/output_file.h"
#include "harness/document/result.h"

namespace fixpoint::campaign {

/// The reason why the folder of a run was not opened.
struct Unopened {
  document::Error error;
  ExitCode code;  ///< kBadInput: name another folder; kUnfinished: the disk refused
};

/// The folder of a run: run.json, events.ndjson, checkpoint.json, findings/FINGERPRINT.json, cases/NAME.json.
/// They hold values unredacted, so that Cases replay: only their owner may read folder and files (0700,
/// 0600). An earlier run, finished or stopped, moves to FOLDER.1 with all of its results, that one to
/// FOLDER.2, and so on. Every result is on disk before it is printed. While this object lives, no other run
/// gets the folder.
class RunFolder {
 public:
  using Opened = std::variant<RunFolder, Unopened>;
  /// Refuses a folder that another run holds, or one with a file that belongs to no run, and leaves both
  /// unchanged.
  static Opened open(const std::string& path);
  /// Opens the folder of a run that continues: its events are cut where its checkpoint ends. Findings are
  /// kept.
  static Opened open_again(const std::string& path, std::uint64_t events_bytes);

  /// Returns the path of the stored finding; an error if the disk is full.
  document::Result<std::string> save(const cases::Finding& finding);
  /// A Case or a Sequence that is evidence of something else than a broken property, in its canonical form
  /// under its name in cases/.
  document::Result<std::string> save_case(const std::string& name, const std::string& text);
  std::optional<document::Error> append(const document::Value& event);
  /// The events reach the disk first.
  std::optional<document::Error> checkpoint(const document::Value& state);
  /// run.json makes the run a complete one.
  std::optional<document::Error> finish(const document::Value& summary);
  std::uint64_t events_bytes() const { return events_bytes_; }

 private:
  RunFolder(std::string path, FolderLock lock, document::GrowingFile events)
      : path_(std::move(path)), lock_(std::move(lock)), events_(std::move(events)) {}
  static Opened with_events(const std::string& path, FolderLock lock, std::uint64_t bytes);
  std::string path_;
  FolderLock lock_;
  document::GrowingFile events_;
  std::uint64_t events_bytes_ = 0;
};

}  // namespace fixpoint::campaign
