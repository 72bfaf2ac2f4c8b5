#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cases/finding.h"
#include "harness/document/result.h"

namespace fixpoint::program {

/// The folder of a run: run.json, events.ndjson, checkpoint.json, findings/FINGERPRINT.json, cases/NAME.json.
/// An earlier run moves to FOLDER.1, that to FOLDER.2, and so on, and with it what it found before somebody
/// stopped it. What is reported is on disk before it is printed.
class RunFolder {
 public:
  /// An error for a folder whose findings or cases are none of a run's: nothing is removed from it.
  static document::Result<RunFolder> open(const std::string& path);
  /// The folder of a run that goes on: its events are cut where its checkpoint stands. Findings stay.
  static document::Result<RunFolder> open_again(const std::string& path, std::uint64_t events_bytes);
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();

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
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::optional<document::Error> open_events(std::uint64_t bytes);
  std::string path_;
  int events_ = -1;
  std::uint64_t events_bytes_ = 0;
};

}  // namespace fixpoint::program
