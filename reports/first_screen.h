#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cases/problem.h"
#include "harness/runner/loop/run.h"
#include "reports/earlier_problem.h"

namespace fixpoint::reports {

/// The regressions of the corpus that were replayed.
struct Replayed {
  std::size_t all = 0, failing = 0;
  std::vector<std::string> fixed = {}, again = {};  ///< names whose result differs from the previous release
};

/// The results of a fuzz run for its first screen.
struct FirstScreen {
  std::vector<std::string> subjects = {};
  std::string seed = {};
  const runner::RunSummary& summary;
  std::vector<cases::Problem> problems = {};      ///< the problems of the summary's findings
  std::map<std::string, std::string> known = {};  ///< by fingerprint: the regression or history with it
  Replayed regressions = {};
  std::vector<EarlierProblem> earlier_problems = {};
  std::string program = "fixpoint";  ///< the program's name as the user typed it
  /// Returns the flags for replaying a finding, after a blank; unset if none are needed.
  std::function<std::string(const cases::Finding&)> replay_flags = {};
  std::string folder = "run";
  std::string resume_flags = {};  ///< flags for going on with the run, each after a blank
};

/// Returns at most 40 lines of 100 columns: the verdict, the problems with their repairs (errors first, new
/// before known, those with most findings first), of the first one the object, the calls and what came of
/// them, and the commands to run next. Hints are given only where nothing was found.
std::string first_screen(const FirstScreen& screen);

/// Returns the line with the command that goes on with an interrupted run; empty for any other.
std::string resume_line(const FirstScreen& screen);

/// Returns one problem with its findings: the defect and the part to blame, the repair and its proof, the
/// smallest Case, and the calls that show it. `findings` are those of the problem, redacted.
std::string problem_text(const cases::Problem& problem, const std::vector<cases::Finding>& findings,
                         const properties::Catalog& catalog, std::string_view published = {});

}  // namespace fixpoint::reports
