#include "harness/score/problem_draws.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "generators/subjects.h"
#include "harness/document/patch.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/learning/trigger.h"
#include "harness/runner/replay_answer.h"
#include "harness/score/tasks.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::score {

namespace {

using cases::Finding;
using cases::Problem;
using document::Value;

constexpr const char* kComposed = "composed";
constexpr std::size_t kDefectsMin = 2, kDefectsMax = 6;

/// The defects of webhooks for Pods, which are composed.
std::vector<std::string> planted_defects() {
  std::vector<std::string> names;
  for (const auto& injector : injectors::all()) {
    if (injector.role != injectors::Role::defect) continue;
    std::string name = std::string(injector.name).append("@buggy");
    if (generators::takes_pods(injectors::find_subject(name).value())) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> drawn_defects(std::uint64_t seed) {
  runner::Choices choices(seed, 0);
  std::vector<std::string> left = planted_defects(), drawn;
  for (auto count = kDefectsMin + choices.below(kDefectsMax - kDefectsMin + 1); count > 0; --count) {
    const auto at = static_cast<std::ptrdiff_t>(choices.below(left.size()));
    drawn.push_back(left[static_cast<std::size_t>(at)]);
    left.erase(left.begin() + at);
  }
  return drawn;
}

/// Returns a handler that applies the defects one after the other; a refusal ends it.
webhooks::Handler composed_of(const std::vector<std::string>& names) {
  std::vector<webhooks::Handler> steps;
  for (const std::string& name : names) steps.push_back(injectors::resolve(name).value());
  return [steps](const webhooks::Call& call) {
    webhooks::Call inner = call;
    for (const webhooks::Handler& step : steps) {
      const auto answer = step(inner);
      if (!answer.allowed || !answer.problem.empty()) return answer;
      if (!answer.patch) continue;
      const auto patched = document::apply_patch(inner.object, *answer.patch);
      if (!patched.ok()) return webhooks::fail("a step's patch does not apply");
      inner.object = patched.document;
    }
    return webhooks::allow_change(call.object, std::move(inner.object));
  };
}

webhooks::Resolve with_composed(const std::vector<std::string>& names) {
  return [handler = composed_of(names)](std::string_view injector) {
    return injector == kComposed ? document::Result<webhooks::Handler>(handler)
                                 : injectors::resolve(injector);
  };
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Adds the values of one vocabulary to another.
void add_words(runner::Vocabulary& all, const runner::Vocabulary& more) {
  append(all.triggers, more.triggers);
  for (std::size_t i = 0; i < all.names.lists.size(); ++i) append(all.names.lists[i], more.names.lists[i]);
  append(all.members, more.members);
  append(all.elements, more.elements);
  append(all.objects, more.objects);
}

runner::Subject composed_subject(const std::vector<std::string>& names) {
  runner::Subject subject = injectors::find_subject(names.front()).value();
  for (std::size_t i = 1; i < names.size(); ++i)
    add_words(subject.vocabulary, injectors::find_subject(names[i]).value().vocabulary);
  subject.name = kComposed;
  for (auto& [key, backend] : subject.webhooks) backend = cases::InjectorName{kComposed};
  return subject;
}

std::vector<Finding> findings_of(const std::vector<std::string>& names, std::uint64_t seed,
                                 const ProblemDrawOptions& options) {
  const webhooks::Resolve resolve = with_composed(names);
  generators::Subjects subjects;
  subjects.chains = {.subjects = {composed_subject(names)},
                     .peers = injectors::newest(injectors::Role::peer),
                     .resolve = resolve};
  runner::RunOptions run = generators::run_of(subjects, injectors::bundled(), resolve);
  run.drawing.seed = seed;
  run.effort.cases_max = options.cases;
  run.effort.seconds_max = 0;
  run.hooks.interrupted = options.is_over;
  runner::Listener nobody;
  return runner::run(run, nobody).findings;
}

/// Returns the only defect that shows the finding alone; nothing if none or several do.
std::optional<std::string> owner_of(const Finding& finding, const std::vector<std::string>& names) {
  std::optional<std::string> owner;
  for (const std::string& name : names) {
    const runner::ReplayWith with{.resolve = with_composed({name})};
    if (runner::answer_of(finding, with).kind != runner::Answer::Kind::still_failing) continue;
    if (owner) return std::nullopt;
    owner = name;
  }
  return owner;
}

/// The number of findings of each defect in a problem.
using Owners = std::map<std::string, std::size_t>;

std::size_t most_in(const Owners& owners) {
  std::size_t most = 0;
  for (const auto& [name, count] : owners) most = std::max(most, count);
  return most;
}

/// Counts the findings of a draw. A problem belongs to the defect with most of its findings.
void judge(const std::vector<Problem>& problems, const std::vector<Owners>& owners, ProblemDraw& draw) {
  std::map<std::string, std::size_t> all, largest;
  std::set<std::string> named;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::size_t owned = 0;
    const std::size_t most = most_in(owners[i]);
    for (const auto& [name, count] : owners[i]) {
      owned += count;
      all[name] += count;
      largest[name] = std::max(largest[name], count);
      if (count == most) named.insert(name);
    }
    draw.owned += owned;
    draw.mixed += owned - most;
    if (owned - most > draw.worst) {
      draw.worst = owned - most;
      draw.worst_title = problems[i].title + ":";
      for (const auto& [name, count] : owners[i])
        draw.worst_title += " " + std::to_string(count) + " of " + name;
    }
  }
  for (const auto& [name, count] : all) draw.apart += count - largest[name];
  draw.shown = all.size();
  draw.named = named.size();
}

ProblemDraw draw_problems(std::uint64_t seed, const ProblemDrawOptions& options) {
  ProblemDraw draw{.defects = drawn_defects(seed)};
  const auto findings = findings_of(draw.defects, seed, options);
  std::map<std::string, std::optional<std::string>> owners;
  for (const Finding& finding : findings)
    owners.emplace(finding.fingerprint, owner_of(finding, draw.defects));
  const auto problems = runner::problems_of(findings);
  std::vector<Owners> of_problems(problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i)
    for (const std::string& print : problems[i].findings)
      if (const auto& owner = owners.at(print)) ++of_problems[i][*owner];
  draw.problems = problems.size();
  judge(problems, of_problems, draw);
  return draw;
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : 1 - static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::size_t ProblemScores::sum(std::size_t ProblemDraw::* count) const {
  std::size_t all = 0;
  for (const ProblemDraw& draw : draws) all += draw.*count;
  return all;
}
double ProblemScores::purity() const { return share(sum(&ProblemDraw::mixed), sum(&ProblemDraw::owned)); }
double ProblemScores::completeness() const {
  return share(sum(&ProblemDraw::apart), sum(&ProblemDraw::owned));
}
std::size_t ProblemScores::worst() const {
  std::size_t most = 0;
  for (const ProblemDraw& draw : draws) most = std::max(most, draw.worst);
  return most;
}

ProblemScores score_problems(const ProblemDrawOptions& options) {
  std::vector<std::optional<ProblemDraw>> slots(options.draws);
  std::vector<Task> tasks;
  for (std::uint64_t seed = 0; seed < options.draws; ++seed) {
    tasks.emplace_back([&slots, &options, seed] {
      ProblemDraw draw = draw_problems(seed, options);
      if (!options.is_over()) slots[seed] = std::move(draw);
    });
  }
  share_out(options.jobs, tasks, options.is_over);
  ProblemScores scores;
  for (auto& slot : slots)
    if (slot) scores.draws.push_back(*std::move(slot));
  return scores;
}

}  // namespace fixpoint::score
