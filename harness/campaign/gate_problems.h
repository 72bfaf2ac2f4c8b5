#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/accepted_now.h"
#include "harness/campaign/gate_context.h"
#include "harness/campaign/older_release.h"
#include "harness/cases/problem.h"

namespace fixpoint::campaign {

/// The findings of the runs of a gate and of the stored Cases.
struct GateEvidence {
  std::vector<AcceptedNow> accepted = {};             ///< the accepted problems, replayed
  std::optional<OlderRelease> older = {};             ///< which new problems are compared with
  std::map<std::string, cases::Finding> stored = {};  ///< the regressions, by file
  std::map<std::string, std::string> folders = {};    ///< of the run that made a finding, by fingerprint
};

/// Tells new problems from accepted and older ones, and says what became of the accepted ones.
class GateProblems {
 public:
  /// Both must outlive it.
  GateProblems(GateContext& context, GateEvidence& evidence) : context_(context), evidence_(evidence) {}
  /// Judges the findings of all runs, the regressions, and the accepted problems.
  void judge();

 private:
  void judge_findings();
  bool counts(const cases::Finding& finding) const;
  bool is_expected(const cases::Finding& finding) const;
  void note_accepted(const cases::Finding& finding);
  void judge_problem(const cases::Problem& problem);
  void judge_fresh(const OlderRelease::Answers& answers, const std::string& what);
  void mark_expected(const std::vector<cases::Finding>& findings);
  Reason reason_of(const std::vector<cases::Finding>& members, std::string headline) const;
  void judge_regressions();
  void judge_accepted();
  void judge_open(const AcceptedNow& now, const std::string& what);
  std::string advice_for(const runner::Answer& answer, const std::string& file) const;

  GateContext& context_;
  GateEvidence& evidence_;
  std::vector<Reason> new_ = {};                        ///< problems that the older release does not have
  std::set<std::string> seen_ = {}, still_there_ = {};  ///< fingerprints; accepted problems
};

}  // namespace fixpoint::campaign
