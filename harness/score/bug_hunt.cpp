#include "harness/score/bug_hunt.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include "corpus/regression.h"
#include "harness/runner/diagnosis/problems.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint::score {

using document::Error;
using document::Result;

namespace {

/// Returns the CPU time of this thread, in seconds, which does not depend on other processes of the machine.
double worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void add_planted(std::vector<Bug>& bugs) {
  for (const injectors::Injector& injector : injectors::all()) {
    if (injector.role != injectors::Role::defect) continue;
    const std::string name(injector.name);
    bugs.push_back({.name = name,
                    .subject = name + "@buggy",
                    .fixed = name + "@fixed",
                    .property = std::string(injectors::caught_by(injector)),
                    .fingerprint = {}});
  }
}

/// Returns the subject of a finding, with its release; empty if it is not a bundled injector.
std::string subject_of(const cases::Finding& finding) {
  if (finding.sequence) return finding.sequence->subject;
  const auto backend = finding.value.webhooks.find(finding.webhook);
  if (backend == finding.value.webhooks.end()) return {};
  const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
  return injector == nullptr ? std::string() : injector->name;
}

std::span<const std::string_view> releases_of(std::string_view name) {
  for (const injectors::Injector& injector : injectors::all()) {
    if (injector.name == name) return injector.releases;
  }
  for (const injectors::Reconciling& row : injectors::all_reconcilers()) {
    if (row.name == name) return row.releases;
  }
  return {};
}

/// Returns the last release that shows the regression and the next release, if that is recorded as silent.
std::optional<std::pair<std::string, std::string>> fixed_between(const corpus::Regression& regression,
                                                                 std::span<const std::string_view> releases) {
  const auto has = [](const std::vector<std::string>& list, std::string_view release) {
    return std::find(list.begin(), list.end(), release) != list.end();
  };
  for (std::size_t i = releases.size(); i-- > 1;) {
    if (has(regression.shows, releases[i])) return std::nullopt;
    if (!has(regression.silent, releases[i])) continue;
    if (has(regression.shows, releases[i - 1]))
      return {{std::string(releases[i - 1]), std::string(releases[i])}};
  }
  return std::nullopt;
}

void add_published(const corpus::Regression& regression, std::vector<Bug>& bugs) {
  const std::string name = runner::without_release(subject_of(regression.finding));
  const auto between = fixed_between(regression, releases_of(name));
  if (!between) return;
  bugs.push_back({.name = std::filesystem::path(regression.file).stem().string(),
                  .subject = name + "@" + between->first,
                  .fixed = name + "@" + between->second,
                  .property = regression.finding.property,
                  .fingerprint = regression.finding.fingerprint,
                  .is_sequence = regression.finding.sequence.has_value()});
}

/// The conditions on which a run ends early: a finding or an observation for which the function returns true.
struct Enough {
  std::function<bool(const cases::Finding&)> finding = {};
  std::function<bool(const properties::Observation&)> observation = {};
};

/// Runs as `fuzz` does, on this thread alone.
Result<runner::RunSummary> run_over(const RunOf& run_of, const std::string& subject, std::uint64_t seed,
                                    std::uint64_t cases, Enough enough, const IsOver& is_over,
                                    runner::Listener& listener) {
  auto found = run_of(subject);
  if (!found) return std::move(found).error();
  runner::RunOptions& options = *found;
  options.drawing.seed = seed;
  options.effort.cases_max = cases;
  options.effort.seconds_max = 0;
  options.hooks.clock = worked;
  options.hooks.is_enough = std::move(enough.finding);
  options.hooks.is_enough_to_see = std::move(enough.observation);
  options.hooks.interrupted = is_over;
  return runner::run(options, listener);
}

bool is_it(const Bug& bug, const cases::Finding& finding) {
  return bug.fingerprint.empty() ? finding.property == bug.property : finding.fingerprint == bug.fingerprint;
}

bool is_it(const Bug& bug, const properties::Observation& observation) {
  return bug.fingerprint.empty() && observation.kind == bug.property;
}

/// Records when the bug was found.
class StopWatch : public runner::Listener {
 public:
  explicit StopWatch(const Bug& bug) : bug_(bug) {}
  void found(const cases::Finding& finding) override {
    if (is_it(bug_, finding)) note();
  }
  void note() { milliseconds = static_cast<std::int64_t>((worked() - begin_) * 1000); }
  std::int64_t milliseconds = 0;

 private:
  const Bug& bug_;
  const double begin_ = worked();
};

}  // namespace

Result<std::vector<Bug>> known_bugs(const std::string& corpus) {
  std::vector<Bug> bugs;
  add_planted(bugs);
  const auto regressions = corpus::read_regressions(corpus, injectors::bundled());
  if (!regressions) return regressions.error();
  for (const corpus::Regression& regression : *regressions) add_published(regression, bugs);
  std::sort(bugs.begin(), bugs.end(), [](const Bug& a, const Bug& b) { return a.name < b.name; });
  return bugs;
}

Result<Hunt> hunt(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases_max,
                  const IsOver& is_over) {
  StopWatch watch(bug);
  std::optional<properties::Observation> observation;
  const Enough enough{.finding = [&](const cases::Finding& finding) { return is_it(bug, finding); },
                      .observation =
                          [&](const properties::Observation& seen) {
                            if (!is_it(bug, seen)) return false;
                            watch.note();
                            observation = seen;
                            return true;
                          }};
  auto summary = run_over(run_of, bug.subject, seed, cases_max, enough, is_over, watch);
  if (!summary) return std::move(summary).error();
  Hunt result{.observation = std::move(observation),
              .cases = static_cast<std::int64_t>(summary->cases),
              .milliseconds = watch.milliseconds};
  for (cases::Finding& finding : summary->findings) {
    if (is_it(bug, finding)) {
      result.cases = finding.found.cases;
      result.finding = std::move(finding);
      break;
    }
    auto& others = result.others;
    if (finding.property == bug.property) continue;
    if (std::find(others.begin(), others.end(), finding.property) == others.end())
      others.push_back(finding.property);
  }
  return result;
}

Result<Silence> listen(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases,
                       const IsOver& is_over) {
  runner::Listener nobody;
  auto summary = run_over(run_of, bug.fixed, seed, cases, {}, is_over, nobody);
  if (!summary) return std::move(summary).error();
  Silence silence{.cases = summary->cases, .all_properties = summary->all_properties};
  for (cases::Finding& finding : summary->findings) {
    if (bug.fingerprint.empty() || finding.fingerprint == bug.fingerprint)
      silence.alarms.push_back(std::move(finding));
  }
  for (const runner::Observed& one : summary->observations)
    if (is_it(bug, one.observation)) silence.observations.push_back(one.observation);
  return silence;
}

Result<Grouping> group(const Bug& bug, const RunOf& run_of, std::uint64_t seed, std::uint64_t cases,
                       const IsOver& is_over) {
  runner::Listener nobody;
  const auto summary = run_over(run_of, bug.subject, seed, cases, {}, is_over, nobody);
  if (!summary) return summary.error();
  return Grouping{.cases = summary->cases, .problems = runner::problems_of(summary->findings)};
}

}  // namespace fixpoint::score
