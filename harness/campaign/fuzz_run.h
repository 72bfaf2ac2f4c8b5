#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/subjects.h"
#include "harness/campaign/checkpoint.h"
#include "harness/campaign/exit_code.h"
#include "harness/campaign/run_reader.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::campaign {

/// The inputs that determine a fuzz run, and the options for its output.
struct FuzzOptions {
  std::vector<std::string> subjects = {};
  std::uint64_t seed = 1;
  std::optional<Shard> shard = {};  ///< this process's share of the seed's run
  std::optional<std::uint64_t> cases = {};
  double seconds_max = 0;  ///< 0: no bound
  std::string out = "run";
  bool fails_on_warnings = false;
  bool prints_all = false;             ///< prints every finding at once, instead of a summary at the end
  std::vector<std::string> owns = {};  ///< paths that the subjects own, in addition to those in their files
  int jobs = 1;
  std::uint64_t acted_min = 5;  ///< the share of Cases, in hundredths, in which a subject must act
  std::uint64_t sample_every = 16;
  bool retries = false;            ///< what the last run in the same folder found is retried first
  std::uint64_t problems_max = 0;  ///< the run ends when so many problems were found; 0: no bound
  std::string history = {};        ///< a file of runs, or empty
  std::vector<ReportOrder> reports = {};
  /// The command line with which `fuzz --resume` continues the run.
  std::vector<std::string> arguments = {};
  std::string configuration = {};  ///< the policy file that says a part of it, for the first line
  bool resumes = false;  ///< continues from `from`, in the same folder
  Checkpoint from = {};
  std::string program = "fixpoint";  ///< the program's name as the user typed it, for printed commands
};

/// Receives the events of a fuzz run while it runs, each after it was written to disk. The base class prints
/// nothing.
class FuzzObserver {
 public:
  FuzzObserver() = default;
  FuzzObserver(const FuzzObserver&) = delete;
  FuzzObserver& operator=(const FuzzObserver&) = delete;
  virtual ~FuzzObserver() = default;
  virtual void begins() {}                       ///< from now on, findings are stored
  virtual void event(const document::Value&) {}  ///< values are not redacted
  virtual void print(const std::string&) {}      ///< whole lines
  virtual void paragraph(const std::string&) {}  ///< whole lines, separated from the preceding ones
  virtual void progress(const runner::RunSummary&, double) {}
  virtual void end_progress() {}
  virtual void complain(const std::string&) {}  ///< one line: an error, or a skipped document
  virtual void account(const std::string&) {}   ///< whole lines: the account of processes and slow webhooks
  /// Returns true if the run must end with the results so far; called between Cases.
  virtual bool is_interrupted() { return false; }
};

/// Runs a fuzz run: replays the known findings of the subjects, draws Cases until a bound is reached, and
/// writes the run's folder, its line in the history and its reports. Every error is reported through
/// complain().
ExitCode run_fuzz(const FuzzOptions& options, const external::ExternalWebhooks& webhooks,
                  const generators::FindSubjects& find_subjects, FuzzObserver& observer);

}  // namespace fixpoint::campaign
