#include "reports/past_runs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/replay_answer.h"

namespace fixpoint::reports {

namespace {

bool is_seen(const HistoryEntry& entry) {
  return entry.answer == "found" || entry.answer == "flaky" || runner::is_failing(entry.answer);
}

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

/// Reads the runs of a history in order.
class Reader {
 public:
  void take(const HistoryRun& run) {
    PastRun past{.date = run.date,
                 .seed = run.seed,
                 .subjects = run.subjects,
                 .cases = run.cases,
                 .folder = run.folder,
                 .report = run.report};
    std::vector<cases::Finding> seen;
    for (const HistoryEntry& entry : run.findings)
      if (is_seen(entry)) seen.push_back(entry.finding);
    std::set<std::size_t> shown;
    for (const cases::Problem& problem : runner::problems_of(seen)) {
      const auto [at, is_fresh] = place_of(problem, run.date);
      if (!shown.insert(at).second) continue;  // an earlier run had both problems as one
      (is_fresh ? past.fresh : past.known).push_back(at);
      remember(at, problem, run.date);
    }
    for (const HistoryEntry& entry : run.findings)
      if (runner::is_fixed(entry.answer)) forget(entry.finding.fingerprint, shown, past.fixed);
    runs_.push_back(std::move(past));
  }

  std::vector<PastRun> runs() {
    mark_moved();
    return std::move(runs_);
  }

  std::vector<PastProblem> problems(const RunRecord& record) {
    std::map<std::string, std::string> states;
    for (const PastFinding& finding : record.history) states[finding.fingerprint] = finding.state;
    std::vector<PastProblem> all;
    for (Known& known : problems_) {
      known.row.state = state_of(known, states);
      all.push_back(std::move(known.row));
    }
    return all;
  }

 private:
  struct Known {
    PastProblem row;
    std::set<std::string> fingerprints = {}, failing = {};  ///< fingerprints of the problem's findings
  };

  /// Returns the index of the problem among all, and true if no earlier run had it.
  std::pair<std::size_t, bool> place_of(const cases::Problem& problem, const std::string& date) {
    for (const std::string& id : problem.ids)
      if (const auto known = index_.find(id); known != index_.end()) return {known->second, false};
    problems_.push_back({.row = {.first_seen = date}});
    return {problems_.size() - 1, true};
  }

  void remember(std::size_t at, const cases::Problem& problem, const std::string& date) {
    Known& known = problems_[at];
    std::vector<std::string> ids = problem.ids;
    for (const std::string& id : known.row.ids)
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    for (const std::string& id : ids) index_.emplace(id, at);
    known.row.ids = std::move(ids);
    known.row.last_seen = date;
    ++known.row.runs;
    known.row.severity = problem.severity;
    known.row.part = problem.part;
    known.row.place = problem.place;
    known.row.title = problem.title;
    known.fingerprints.insert(problem.findings.begin(), problem.findings.end());
    known.failing.insert(problem.findings.begin(), problem.findings.end());
  }

  /// Removes a finding that a run no longer saw. A problem is fixed by the run that saw none of its findings
  /// and removed the last failing one.
  void forget(const std::string& print, const std::set<std::size_t>& shown, std::vector<std::size_t>& fixed) {
    for (std::size_t at = 0; at < problems_.size(); ++at) {
      if (problems_[at].failing.erase(print) == 0 || shown.contains(at)) continue;
      if (problems_[at].failing.empty()) fixed.push_back(at);
    }
  }

  static std::string state_of(const Known& known, const std::map<std::string, std::string>& states) {
    std::string state = "fixed";
    for (const std::string& print : known.fingerprints) {
      const auto found = states.find(print);
      if (found == states.end()) continue;
      if (found->second == "flaky") return "flaky";
      if (found->second == "reopened" || (found->second == "failing" && state == "fixed"))
        state = found->second;
    }
    return state;
  }

  /// Marks folders and removes reports that a later run overwrote.
  void mark_moved() {
    std::set<std::string> folders, reports;
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
      if (!run->folder.empty()) run->is_moved = !folders.insert(normal(run->folder)).second;
      if (!run->report.empty() && !reports.insert(normal(run->report)).second) run->report.clear();
    }
  }

  std::vector<PastRun> runs_ = {};
  std::vector<Known> problems_ = {};
  std::map<std::string, std::size_t> index_ = {};  ///< index in `problems_` by id
};

}  // namespace

void tell_past_runs(RunRecord& record, const History& history) {
  Reader reader;
  for (const HistoryRun& run : history.runs) reader.take(run);
  record.past_runs = reader.runs();
  record.past_problems = reader.problems(record);
  for (PastRun& run : record.past_runs) {
    run.is_this = !run.folder.empty() && !run.is_moved && run.seed == record.seed &&
                  normal(run.folder) == normal(record.folder);
  }
}

}  // namespace fixpoint::reports
