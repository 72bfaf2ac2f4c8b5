#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/runner/loop/case_result.h"
#include "harness/runner/loop/history_search.h"
#include "harness/runner/loop/run_log.h"
#include "harness/runner/loop/run_time.h"

namespace fixpoint::runner {

/// Finds webhooks whose answers depend on the requests before: state from a first request shows in no Case
/// alone, and a violation that it made is not seen again.
class HistoryFindings {
 public:
  /// All must outlive it.
  HistoryFindings(const RunOptions& options, const RunTime& time, RunLog& log)
      : options_(options), time_(time), log_(log) {}

  /// Checks one Case of a round after another one. Each probe starts new processes and has a bounded share of
  /// the run.
  void probe(std::span<const CaseResult> round);
  /// Reports a violation that could not be reproduced: the webhook depends on earlier requests, which is a
  /// finding of its own, or on something outside its requests, which is an observation. `cases_before` draws
  /// the Cases before that one.
  void report_once_seen(const cases::Case& value, const properties::Property& property,
                        const properties::Violation& violation,
                        const std::function<std::vector<cases::Case>()>& cases_before);

  /// Returns true if a violation of the webhook could not be reproduced before, and no history was the
  /// reason.
  bool varies(const std::string& webhook) const { return searches_in_vain_.contains(webhook); }

 private:
  /// Returns true if there is a dependence; `is_enough` ends the search.
  bool find(const cases::Case& value, const std::vector<cases::Case>& earlier, properties::Severity severity,
            const std::function<bool()>& is_enough);
  void report(const HistoryDependence& dependence, properties::Severity severity, bool is_cut);

  const RunOptions& options_;
  const RunTime& time_;
  RunLog& log_;
  std::optional<cases::Case> last_sample_ = {};
  std::set<std::string> reported_ = {};               ///< webhooks
  std::map<std::string, int> searches_in_vain_ = {};  ///< by webhook
  double probing_seconds_ = 0;
};

}  // namespace fixpoint::runner
