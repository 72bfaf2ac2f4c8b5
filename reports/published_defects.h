#pragma once

#include <string_view>

#include "harness/cases/problem.h"

namespace fixpoint::reports {

/// A defect of that kind that another project had in public.
struct PublishedDefect {
  std::string_view symptom;  ///< of the problems that it is like
  std::string_view member;   ///< of the place of such a problem; empty: of any
  std::string_view project;  ///< owner/name on GitHub
  int number;                ///< of the issue or pull request
  std::string_view sentence;
};

/// Returns the published defect most similar to the problem, of another project than the problem's; null if
/// the catalog has none.
const PublishedDefect* similar_defect(const cases::Problem& problem);

}  // namespace fixpoint::reports
