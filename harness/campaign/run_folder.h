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

/// Why the folder of a run was not opened.
struct Unopened {
  document::Error error;
  ExitCode code;  ///< kBadInput: name another folder; kUnfinished: the disk refused
};

/// The folder of a run: run.json, events.ndjson, checkpoint.json, findings/FINGERPRINT.json, cases/NAME.json.
/// They hold values as they are, so that Cases replay: folder and files are for their owner alone (0700,
/// 0600). An earlier run moves to FOLDER.1, that to FOLDER.2, and so on, and with it what it found before
/// somebody stopped it. What is reported is on disk before it is printed. While this lives, no other run gets
/// the folder.
class RunFolder {
 public:
  using Opened = std::variant<RunFolder, Unopened>;
  /// Refuses a folder that another run holds, and one with a file that is no run's: nothing in it changes.
  static Opened open(const std::string& path);
  /// The folder of a run that goes on: its events are cut where its checkpoint stands. Findings stay.
  static Opened open_again(const std::string& path, std::uint64_t events_bytes);

  /// Where the finding stands now; an error when the disk is full.
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
