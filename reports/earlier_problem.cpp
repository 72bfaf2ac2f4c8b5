#include "reports/earlier_problem.h"

#include <algorithm>
#include <map>

#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/replay_answer.h"

namespace fixpoint::reports {

namespace {

std::string state_for(const std::string& answer, bool was_fixed) {
  if (runner::is_fixed(answer)) return "FIXED";
  if (runner::is_open(answer)) return "OPEN";
  return was_fixed ? "REOPENED" : "STILL";
}

}  // namespace

std::vector<EarlierProblem> earlier_problems_of(std::span<const RetryAnswer> retries,
                                                std::span<const cases::Problem> found,
                                                const std::set<std::string>& were_fixed) {
  std::map<std::string, std::string> answer_of;
  std::vector<cases::Finding> retried;
  for (const RetryAnswer& one : retries) {
    answer_of[one.finding.fingerprint] = one.answer;
    retried.push_back(one.finding);
  }
  std::set<std::string> ids;
  for (const cases::Problem& problem : found) ids.insert(problem.ids.begin(), problem.ids.end());
  std::vector<EarlierProblem> all;
  for (const cases::Problem& problem : runner::problems_of(retried)) {
    const bool is_found = std::any_of(problem.ids.begin(), problem.ids.end(),
                                      [&](const std::string& id) { return ids.contains(id); });
    if (is_found) continue;
    std::string worst = "fixed";
    for (const std::string& print : problem.findings)
      if (!runner::is_fixed(answer_of[print])) worst = answer_of[print];
    const std::string state = state_for(worst, were_fixed.contains(problem.findings.front()));
    const bool says_more = runner::is_open(worst) || worst == "flaky";
    all.push_back({state, problem.part + " " + problem.title, says_more ? worst : ""});
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const EarlierProblem& one) { return one.state == "FIXED"; });
  return all;
}

std::string text_of(const EarlierProblem& one) {
  constexpr std::size_t kWide = 7;
  const std::string gap(one.state.size() < kWide ? kWide - one.state.size() : 1, ' ');
  return one.state + gap + one.title + (one.why.empty() ? "" : ": " + one.why);
}

}  // namespace fixpoint::reports
