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

/// Returns an error if this is no folder, or one without the file that such a run has.
std::optional<document::Error> not_of_a_run(const std::string& folder, const std::string& file);

/// The reason why the folder of a run was not opened.
struct Unopened {
  document::Error error;
  ExitCode code;  ///< kBadInput: choose another folder; kUnfinished: writing to the disk failed
};

/// The folder of a run: run.json, events.ndjson, checkpoint.json, findings/FINGERPRINT.json, cases/NAME.json.
/// They contain unredacted values, so that Cases can be replayed: only their owner may read the folder and
/// its files (0700, 0600). An earlier run, finished or stopped, moves to FOLDER.1 with all of its results,
/// that one to FOLDER.2, and so on. Every result is on disk before it is printed. During the lifetime of this
/// object, no other run can take the folder.
class RunFolder {
 public:
  using Opened = std::variant<RunFolder, Unopened>;
  /// Refuses a folder that another run holds, or that contains a file which belongs to no run. A refused
  /// folder stays unchanged.
  static Opened open(const std::string& path);
  /// Opens the folder of a run that is resumed: truncates its events where its checkpoint ends, and keeps its
  /// findings.
  static Opened open_again(const std::string& path, std::uint64_t events_bytes);

  /// Stores the finding and returns its path; returns an error if the disk is full.
  document::Result<std::string> save(const cases::Finding& finding);
  /// Stores a Case or a Sequence that is evidence of something other than a violation, in its canonical form
  /// under its name in cases/.
  document::Result<std::string> save_case(const std::string& name, const std::string& text);
  std::optional<document::Error> append(const document::Value& event);
  /// Writes the checkpoint after the events have reached the disk.
  std::optional<document::Error> checkpoint(const document::Value& state);
  /// Writes run.json, which marks the run as complete.
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
