#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/run_record.h"

namespace fixpoint::reports {

/// A problem in the form that reports show.
struct ProblemView {
  cases::Problem problem = {};
  std::vector<const RecordedFinding*> findings = {};   ///< of the record; the one to read first comes first
  std::map<std::string, std::size_t> properties = {};  ///< the number of findings of each property
  std::string state = {};     ///< new or known; empty if there is nothing to compare with
  std::string word = {};      ///< the state for people: NEW, STILL, REOPENED, KNOWN; empty where `state` is
  std::string known_as = {};  ///< the name of a regression, or empty
  bool fails = false;         ///< an unexpected finding of it fails the run
  const cases::Finding& smallest() const { return findings.front()->finding; }
};

/// Returns the problems of a run: news before what is known, errors first, then by their number of findings.
std::vector<ProblemView> views_of(const RunRecord& record);

/// Returns the repair with its proof: "add spec.volumes[a] only if nothing has its key (heals 3 of 4)". If no
/// repair was sought for some findings, also says for how many. Empty if there is neither.
std::string proof_of(const cases::Problem& problem);
/// Returns the number of findings of each property: "no-duplicate-names (2), valid-spec (1)".
std::string tally_of(const ProblemView& view);

/// Returns a path that a repository's report may contain: relative, without `..`; the last part of an
/// absolute one.
std::string relative_path(const std::string& path);
/// Returns the relative path of a file in the run's folder.
std::string run_file(const RunRecord& record, const std::string& name);
/// Returns the relative path of the file that contains the finding.
std::string finding_file(const RunRecord& record, const cases::Finding& finding);

}  // namespace fixpoint::reports
