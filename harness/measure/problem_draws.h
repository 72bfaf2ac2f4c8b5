#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fixpoint::measure {

/// Webhooks composed of planted defects, of which it is known whose finding is whose, to measure how findings
/// are grouped into problems.
struct ProblemDrawOptions {
  std::uint64_t draws = 200;
  std::uint64_t cases = 300;  ///< of the run over each webhook
  int jobs = 1;               ///< threads; the outcome does not depend on it
  std::function<bool()> is_over = [] { return false; };
};

/// One webhook of two to six defects. A finding is a defect's if that defect shows it alone; one that none
/// shows alone, or that two show, counts for nobody.
struct ProblemDraw {
  std::vector<std::string> defects = {};
  std::size_t problems = 0;
  std::size_t owned = 0;         ///< findings of one defect
  std::size_t mixed = 0;         ///< of those, in a problem in which most are another defect's
  std::size_t apart = 0;         ///< of those, not in the problem that has most of their defect's
  std::size_t worst = 0;         ///< most mixed findings in one problem
  std::string worst_title = {};  ///< of that problem, and how many of its findings are whose
  std::size_t shown = 0;         ///< defects with a finding of their own
  std::size_t named = 0;         ///< of those, with a problem in which most findings are theirs
};

struct ProblemScores {
  std::vector<ProblemDraw> draws = {};
  std::size_t sum(std::size_t ProblemDraw::* count) const;
  /// The share of findings that stand in a problem of their own defect.
  double purity() const;
  /// The share of findings that stand in the one problem that has most of their defect's.
  double completeness() const;
  std::size_t worst() const;
};

/// Draws from the seeds 0, 1, 2, …; those that were done when it was over.
ProblemScores score_problems(const ProblemDrawOptions& options);

}  // namespace fixpoint::measure
