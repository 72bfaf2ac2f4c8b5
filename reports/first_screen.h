#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cases/problem.h"
#include "harness/runner/run.h"

namespace fixpoint::reports {

/// The corpus' regressions that were replayed.
struct Replayed {
  std::size_t all = 0, failing = 0;
  std::vector<std::string> fixed = {}, again = {};  ///< names whose result differs from the last release's
};

/// The end of a fuzz run, as its first screen shows it.
struct FirstScreen {
  std::vector<std::string> subjects = {};
  std::string seed = {};
  const runner::RunSummary& summary;
  std::vector<cases::Problem> problems = {};      ///< of the summary's findings
  std::map<std::string, std::string> known = {};  ///< by fingerprint: the regression or history that has it
  Replayed regressions = {};
  std::string program = "fixpoint";  ///< as the user called it
  /// Returns the flags for the replay of a finding, with a blank in front; none if it is not set.
  std::function<std::string(const cases::Finding&)> replay_flags = {};
  std::string folder = "run";
};

/// Returns at most 40 lines of 100 columns: the verdict, the problems (errors first, new before known, the
/// widest first) with their repairs, the rarely reached properties, and the next three commands.
std::string first_screen(const FirstScreen& screen);

/// The finding with the smallest Case; there is at least one.
const cases::Finding& smallest_of(const std::vector<cases::Finding>& findings);

/// Returns one problem with its findings: the defect and the part to blame, the repair and its proof, the
/// smallest Case, and the calls that show it. `findings` are the problem's, redacted.
std::string problem_text(const cases::Problem& problem, const std::vector<cases::Finding>& findings,
                         const properties::Catalog& catalog);

}  // namespace fixpoint::reports
