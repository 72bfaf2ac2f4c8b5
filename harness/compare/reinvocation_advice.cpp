#include "harness/compare/reinvocation_advice.h"

#include <algorithm>

#include "harness/cases/webhook_configuration.h"
#include "harness/compare/case_differences.h"
#include "harness/properties/order_difference.h"

namespace fixpoint::compare {

using cases::Case;
using runner::Prepared;

namespace {

/// The benefit and the harm of calling a webhook again.
struct Effect {
  std::string missed = {};
  std::optional<ChainProblem> harm = {};
};

/// Returns the message with which the webhook refused the Pod when it was called again; nothing if it did
/// not.
std::optional<std::string> refusal_by(const Prepared& run, const std::string& webhook) {
  for (const apiserver::CallEvent& event : run.admission.calls) {
    const bool is_it = run.admission.webhooks[static_cast<std::size_t>(event.index)].key == webhook;
    if (is_it && event.pass == 2 && event.result.error == apiserver::CallError::denied)
      return event.result.answer.status.message;
  }
  return std::nullopt;
}

/// Returns true if a call of the webhook passes the test.
template <class Test>
bool has_call(const Prepared& run, const std::string& webhook, const Test& test) {
  const auto& calls = run.admission.calls;
  return std::any_of(calls.begin(), calls.end(), [&](const apiserver::CallEvent& event) {
    return test(event) && run.admission.webhooks[static_cast<std::size_t>(event.index)].key == webhook;
  });
}

bool changes(const Prepared& run, const std::string& webhook) {
  return has_call(run, webhook, [](const auto& event) { return event.result.changed; });
}

bool calls_again(const Prepared& run, const std::string& webhook) {
  return has_call(run, webhook, [](const auto& event) { return event.pass == 2; });
}

/// The refusal of a Pod by a webhook that is called again is harm. Who else refuses it says nothing about
/// this webhook.
Effect effect_of_refusal(const Prepared& all, const Prepared& never, const std::string& webhook) {
  const auto refusal = refusal_by(all, webhook);
  if (!refusal || never.admission.object.is_null()) return {};
  return {.harm = ChainProblem{"accepts-own-output", std::string(kRefusesAgain) + ": " + *refusal, webhook}};
}

/// Returns true if another member shows the problem of a run without the rest of the chain.
bool is_of_another(const ChainRuns& runs, const Case& plain, const ChainProblem& problem,
                   const std::string& webhook) {
  for (std::size_t i = 0; i < runs.chain().members.size(); ++i) {
    const std::string name = name_of(runs.chain().members[i]);
    if (!cases::belongs_to(problem.webhook, name)) continue;
    if (cases::belongs_to(webhook, name)) return false;
    const auto alone = runs.prepare(plain, {.alone = i});
    const auto own = alone ? runs.problem_of(*alone, kOfTheResult) : std::nullopt;
    return own && own->property == problem.property;
  }
  return false;
}

Effect effect_of(const ChainRuns& runs, const Case& plain, const Prepared& all, const std::string& webhook) {
  if (!calls_again(all, webhook)) return {};
  const auto never = runs.prepare(plain, {.all_if_needed = true, .never = webhook});
  if (!never) return {};
  if (all.admission.object.is_null() || never->admission.object.is_null())
    return effect_of_refusal(all, *never, webhook);
  const auto with = runs.problem_of(all, kOfTheResult), without = runs.problem_of(*never, kOfTheResult);
  if (with && !without) return {.harm = with};
  if (without && !with)
    return is_of_another(runs, plain, *without, webhook) ? Effect{} : Effect{without->reason};
  if (with) return {};
  const auto both = properties::differing(all.admission.object, never->admission.object);
  const std::string path = properties::first_difference(both);
  if (path.empty()) return {};
  const bool is_there = properties::find(both.after, path) != nullptr;
  return {.missed = path + (is_there ? " has another value" : " is missing")};
}

}  // namespace

void advise_on_reinvocation(const ChainRuns& runs, const Case& plain, const Prepared& all,
                            WebhookAdvice& one) {
  one.called_again += calls_again(all, one.webhook) ? 1 : 0;
  one.changed += changes(all, one.webhook) ? 1 : 0;
  if (one.needed_case && one.harmful_case) return;
  const auto effect_on = [&](const Case& candidate) -> Effect {
    const auto run = runs.prepare(candidate, {.all_if_needed = true});
    return run && runner::has_valid_pod(*run) ? effect_of(runs, candidate, *run, one.webhook) : Effect{};
  };
  const Effect effect = effect_of(runs, plain, all, one.webhook);
  if (!effect.missed.empty() && !one.needed_case) {
    const Case small =
        runs.shrink(plain, [&](const Case& tried) { return !effect_on(tried).missed.empty(); });
    one.missed = effect_on(small).missed;
    one.needed_case = arranged(small, runs.chain(), {.all_if_needed = true, .never = one.webhook});
  }
  if (effect.harm && !one.harmful_case) {
    const Case small = runs.shrink(plain, [&](const Case& tried) {
      const auto harm = effect_on(tried).harm;
      return harm && harm->property == effect.harm->property;
    });
    one.harm = effect_on(small).harm->reason;
    one.harmful_case = arranged(small, runs.chain(), {.all_if_needed = true});
  }
}

}  // namespace fixpoint::compare
