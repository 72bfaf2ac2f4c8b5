#pragma once

#include "harness/campaign/fuzz_run.h"
#include "harness/cli/terminal.h"

namespace fixpoint::cli {

struct TerminalOptions {
  bool is_json = false;   ///< events on standard output instead of text
  bool is_quiet = false;  ///< neither text nor progress
};

/// Prints a fuzz run on standard output, and its progress and errors on standard error. Ctrl-C ends the run
/// once it has begun; so does a failed write to standard output, since nobody would learn what a longer run
/// finds.
class TerminalObserver : public campaign::FuzzObserver {
 public:
  explicit TerminalObserver(const TerminalOptions& options);
  void begins() override;
  void event(const document::Value& event) override;
  void print(const std::string& text) override;
  void paragraph(const std::string& text) override;
  void progress(const runner::RunSummary& summary, double seconds) override;
  void end_progress() override;
  void complain(const std::string& line) override;
  void account(const std::string& lines) override;
  bool is_interrupted() override;

 private:
  const TerminalOptions options_;
  ProgressLine progress_;
};

}  // namespace fixpoint::cli
