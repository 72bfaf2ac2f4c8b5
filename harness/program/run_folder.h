#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "harness/cases/finding.h"
#include "harness/document/result.h"

namespace fixpoint::program {

/// The folder of a run: run.json, events.ndjson, findings/FINGERPRINT.json, cases/NAME.json. A complete
/// earlier run moves to FOLDER.1, that to FOLDER.2, and so on. What is reported is on disk before it is
/// printed.
class RunFolder {
 public:
  static document::Result<RunFolder> open(const std::string& path);
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();

  /// Where the finding stands now; an error when the disk is full.
  document::Result<std::string> save(const cases::Finding& finding);
  /// A Case that is evidence of something else than a broken property, under its name in cases/.
  document::Result<std::string> save_case(const cases::Case& value);
  std::optional<document::Error> append(const document::Value& event);
  /// run.json makes the run a complete one.
  std::optional<document::Error> finish(const document::Value& summary);

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::FILE* events_ = nullptr;
};

}  // namespace fixpoint::program
