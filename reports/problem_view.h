#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "reports/run_record.h"

namespace fixpoint::reports {

/// A problem as reports show it.
struct ProblemView {
  cases::Problem problem = {};
  std::vector<const RecordedFinding*> findings = {};   ///< of the record; the one to read first is first
  std::map<std::string, std::size_t> properties = {};  ///< by name: how many findings are of it
  std::string state = {};                              ///< new, known, or empty where nobody knows
  std::string known_as = {};                           ///< a regression's name, or empty
  bool fails = false;                                  ///< the run, by a finding that was not expected
  const cases::Finding& smallest() const { return findings.front()->finding; }
};

/// The problems of a run by harm: errors first, then those with more findings.
std::vector<ProblemView> views_of(const RunRecord& record);

/// "add spec.volumes[a] only if nothing has its key (heals 3 of 4)"; of findings for which no repair was
/// looked for, how many they are; empty where none heals.
std::string proof_of(const cases::Problem& problem);
/// "no-duplicate-names (2), valid-spec (1)"
std::string tally_of(const ProblemView& view);

/// A path as a report of a repository may name it: relative, without `..`; of an absolute one its last part.
std::string relative_path(const std::string& path);
/// A file of the run's folder as a relative path.
std::string run_file(const RunRecord& record, const std::string& name);
/// The one that holds the finding.
std::string finding_file(const RunRecord& record, const cases::Finding& finding);

}  // namespace fixpoint::reports
