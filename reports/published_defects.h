#pragma once

#include <string_view>

#include "harness/cases/problem.h"

namespace fixpoint::reports {

/// A published defect of another project, as an example for similar problems.
struct PublishedDefect {
  std::string_view symptom;  ///< the symptom of similar problems
  std::string_view member;   ///< the member in the place of similar problems; empty: any place
  std::string_view project;  ///< owner/name on GitHub
  int number;                ///< the number of the issue or pull request
  std::string_view sentence;
};

/// Returns the published defect that is most similar to the problem and belongs to another project; null if
/// there is none.
const PublishedDefect* similar_defect(const cases::Problem& problem);

}  // namespace fixpoint::reports
