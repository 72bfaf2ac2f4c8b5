#include "reports/problem_view.h"

#include <algorithm>
#include <filesystem>

#include "reports/first_screen.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

ProblemView view_of(const cases::Problem& problem, const RunRecord& record) {
  ProblemView view{.problem = problem,
                   .state = state_of(problem, record),
                   .word = state_word(problem, record),
                   .known_as = cases::known_as(problem, record.known)};
  std::vector<cases::Finding> members = members_of(problem, record);
  const std::string first = telling_of(members).fingerprint;
  for (const RecordedFinding* recorded : recorded_of(problem, record)) {
    view.findings.push_back(recorded);
    ++view.properties[recorded->finding.property];
    view.fails = view.fails || fails_run(record, *recorded);
  }
  std::stable_partition(view.findings.begin(), view.findings.end(),
                        [&](const RecordedFinding* one) { return one->finding.fingerprint == first; });
  return view;
}

}  // namespace

std::vector<ProblemView> views_of(const RunRecord& record) {
  std::vector<ProblemView> views;
  for (const cases::Problem& problem : problems_of(record)) views.push_back(view_of(problem, record));
  std::stable_partition(views.begin(), views.end(),
                        [](const ProblemView& view) { return view.state != "known"; });
  return views;
}

std::string proof_of(const cases::Problem& problem) {
  const std::string late = std::to_string(problem.unclassified) + " of " +
                           plural(problem.findings.size(), "finding", "findings") +
                           " came too late in the run to look for one";
  if (!problem.repair) return problem.unclassified > 0 ? "unknown: " + late : "";
  return cases::sentence_of(*problem.repair) + " (heals " + std::to_string(problem.healed) + " of " +
         std::to_string(problem.findings.size()) + ")" + (problem.unclassified > 0 ? "; " + late : "");
}

std::string tally_of(const ProblemView& view) {
  std::string text;
  for (const auto& [property, count] : view.properties)
    text += (text.empty() ? "" : ", ") + property + " (" + std::to_string(count) + ")";
  return text;
}

std::string relative_path(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (normal.is_absolute()) return normal.filename().generic_string();
  std::filesystem::path inside;
  for (const auto& part : normal)
    if (part != ".." && part != "." && !part.empty()) inside /= part;
  return inside.generic_string();
}

std::string run_file(const RunRecord& record, const std::string& name) {
  const std::string folder = relative_path(record.folder);
  return (folder.empty() ? "" : folder + "/") + name;
}

std::string finding_file(const RunRecord& record, const cases::Finding& finding) {
  return run_file(record, "findings/" + finding.fingerprint + ".json");
}

}  // namespace fixpoint::reports
