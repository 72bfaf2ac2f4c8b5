#pragma once

#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/campaign/exit_code.h"
#include "harness/campaign/fuzz_run.h"
#include "harness/campaign/policy.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "reports/run_record.h"

namespace fixpoint::campaign {

/// One reason why a gate fails: its first line, and the lines below it.
struct Reason {
  std::string headline;
  std::string details = {};
};

/// The verdict of a gate. The record holds everything for the reports: the findings of all runs, the expected
/// ones marked, and every check as a gate of its own.
struct GateVerdict {
  std::vector<Reason> reasons = {};    ///< first those that are new since the older release
  std::vector<std::string> news = {};  ///< something expected or accepted that is gone
  std::vector<std::string> accepted =
      {};                               ///< problems that are accepted, and those that are older: a line each
  std::vector<std::string> lines = {};  ///< the checks, a line each
  reports::RunRecord record = {};
  bool passed() const { return reasons.empty(); }
};

struct GateOptions {
  std::string today;
  std::string out;  ///< the folder for the runs of the subjects
  int jobs = 0;
  bool shows_progress = false;
  external::ExternalOptions external_webhooks = {};  ///< each run has processes and connections of its own
  std::string program = "fixpoint";  ///< as the user called it, for the commands that are printed
  std::string since = {};  ///< the release to compare new problems with (older_release.h); empty: none
};

/// Judges everything that a policy names; webhooks outside the process are reached through `outside`. An
/// error if something could not be judged at all; `code` is the exit code.
struct Unasked {
  document::Error error;
  ExitCode code;
};
std::variant<GateVerdict, Unasked> run_gate(const Policy& policy, const GateOptions& options,
                                            const external::ExternalWebhooks& outside,
                                            const generators::FindSubjects& find_subjects,
                                            FuzzObserver& observer);

}  // namespace fixpoint::campaign
