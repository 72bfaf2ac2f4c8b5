#pragma once

#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/campaign/exit_code.h"
#include "harness/campaign/fuzz_run.h"
#include "harness/campaign/policy.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "reports/run_record.h"

namespace fixpoint::campaign {

/// One reason why a gate fails: its first line, and the lines below it.
struct Reason {
  std::string headline;
  std::string details = {};
};

/// The verdict of a gate. The record contains everything for the reports: the findings of all runs, with the
/// expected ones marked, and every check as a vacuity check.
struct GateVerdict {
  std::vector<Reason> reasons = {};        ///< problems that are new since the older release come first
  std::vector<Reason> undecided = {};      ///< problems that could not be compared with the older release
  std::vector<std::string> news = {};      ///< expected findings and accepted problems that are gone
  std::vector<std::string> accepted = {};  ///< accepted and older problems, one line each
  std::vector<std::string> lines = {};     ///< the checks, one line each
  reports::RunRecord record = {};
  bool passed() const { return reasons.empty() && undecided.empty(); }
  ExitCode code() const {
    return !reasons.empty() ? kFound : undecided.empty() ? kNothingFound : kUnfinished;
  }
};

struct GateOptions {
  std::string today;
  std::string out;  ///< the folder for the runs of the subjects
  int jobs = 0;
  bool shows_progress = false;
  external::ExternalOptions external_webhooks = {};  ///< each run starts its own processes and connections
  std::string program = "fixpoint";  ///< the program's name as the user typed it, for printed commands
  std::string since = {};  ///< the release to compare new problems with (older_release.h); empty: none
};

/// An error and its exit code, if something in the policy could not be judged.
struct Unasked {
  document::Error error;
  ExitCode code;
};
/// Judges everything that a policy names. External webhooks are reached through `outside`.
std::variant<GateVerdict, Unasked> run_gate(const Policy& policy, const GateOptions& options,
                                            const external::ExternalWebhooks& outside,
                                            const generators::FindSubjects& find_subjects,
                                            FuzzObserver& observer);

}  // namespace fixpoint::campaign
