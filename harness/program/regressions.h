#pragma once

#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"

namespace fixpoint::program {

/// A stored regression: a Finding with the releases that show it and those that do not.
struct Regression {
  std::string file;
  cases::Finding finding;
  std::vector<std::string> shows;
  std::vector<std::string> silent;
};

/// All regressions of the corpus, sorted by file name. A corpus without any is an empty list.
document::Result<std::vector<Regression>> read_regressions(const std::string& corpus);

/// The same Case with another release of the injector put in wherever a release of it stands.
cases::Case with_release(cases::Case value, const std::string& injector);

/// "still failing", "fixed", or "not runnable: …".
std::string replay_answer(const cases::Finding& finding);

}  // namespace fixpoint::program
