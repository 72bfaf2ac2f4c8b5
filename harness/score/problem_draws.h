#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fixpoint::score {

/// The draw of webhooks composed of planted defects. For each finding it is known which defect causes it;
/// that measures how well findings are grouped into problems.
struct ProblemDrawOptions {
  std::uint64_t draws = 200;
  std::uint64_t cases = 300;  ///< of the run over each webhook
  int jobs = 1;               ///< threads; the outcome does not depend on it
  std::function<bool()> is_over = [] { return false; };
};

/// One webhook composed of two to six defects. A finding belongs to a defect if this defect alone shows it; a
/// finding that no defect or several defects show alone belongs to none.
struct ProblemDraw {
  std::vector<std::string> defects = {};
  std::size_t problems = 0;
  std::size_t owned = 0;         ///< findings that belong to a defect
  std::size_t mixed = 0;         ///< of those, in a problem with more findings of another defect
  std::size_t apart = 0;         ///< of those, not in the problem with most findings of their defect
  std::size_t worst = 0;         ///< the largest number of mixed findings in one problem
  std::string worst_title = {};  ///< title of that problem, with the number of findings of each defect
  std::size_t shown = 0;         ///< defects to which a finding belongs
  std::size_t named = 0;         ///< of those, with a problem in which most findings are theirs
};

struct ProblemScores {
  std::vector<ProblemDraw> draws = {};
  std::size_t sum(std::size_t ProblemDraw::* count) const;
  /// Returns the share of findings that are in a problem of their own defect.
  double purity() const;
  /// Returns the share of findings that are in the one problem with most findings of their defect.
  double completeness() const;
  std::size_t worst() const;
};

/// Draws and runs webhooks with the seeds 0, 1, 2, …; if `is_over` ends it early, returns the draws completed
/// so far.
ProblemScores score_problems(const ProblemDrawOptions& options);

}  // namespace fixpoint::score
