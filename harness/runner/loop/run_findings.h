#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/runner/loop/case_result.h"
#include "harness/runner/loop/history_findings.h"
#include "harness/runner/loop/run_log.h"
#include "harness/runner/loop/run_time.h"
#include "harness/runner/loop/smallest_cases.h"
#include "harness/runner/loop/waiting_findings.h"

namespace fixpoint::runner {

/// Makes findings of the violations that a run meets: reproduces, shrinks, blames and describes them, on one
/// thread and in the order of the Cases.
class RunFindings {
 public:
  /// Draws the Cases before the one with that number again, with the present knowledge.
  using CasesBefore = std::function<std::vector<cases::Case>(std::uint64_t number)>;

  /// All but the function must outlive it.
  RunFindings(const RunOptions& options, const RunTime& time, WaitingFindings& waiting, RunLog& log,
              CasesBefore cases_before)
      : options_(options),
        time_(time),
        waiting_(waiting),
        log_(log),
        cases_before_(std::move(cases_before)),
        smallest_(options),
        history_(options, time, log) {}

  /// Reports what the Case with that number violates and was not reported yet. `later` are the Cases of the
  /// round behind it.
  void take(const CaseResult& slot, std::span<const CaseResult> later, std::uint64_t number);
  /// Reports one of its violations, unless it was.
  void take(const CaseResult& slot, const CaseViolation& violated, std::span<const CaseResult> later,
            std::uint64_t number);
  /// Checks once in a round whether a program answers a Case differently after another one.
  void probe_history(std::span<const CaseResult> round) { history_.probe(round); }

 private:
  void report(const cases::Case& value, const CaseViolation& violated, std::uint64_t number);
  bool report_chance(const cases::Case& value, std::uint64_t number);
  void report_as_drawn(const cases::Case& value, const CaseViolation& violated);
  void report(const cases::Sequence& value, const properties::sequences::Property& property,
              const std::string& fingerprint);
  const cases::Case& plausible(const cases::Case& value, const CaseViolation& violated,
                               std::span<const CaseResult> later) const;
  Together together() const;
  void blame(cases::Finding& finding, const properties::Property& property, const std::string& fingerprint,
             const webhooks::Resolve& again) const;

  const RunOptions& options_;
  const RunTime& time_;
  WaitingFindings& waiting_;
  RunLog& log_;
  const CasesBefore cases_before_;
  SmallestCases smallest_;
  HistoryFindings history_;
};

}  // namespace fixpoint::runner
