#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

Value patch_of(const CallResult& result) { return result.answer.patch.value_or(Value::empty_list()); }

bool are_same_operations(const CallResult& a, const CallResult& b) {
  return a.answer.patch == b.answer.patch || patch_of(a) == patch_of(b);
}
/// Operations on different members may come in any order, if the result is the same.
bool equal_patches(const CallResult& a, const CallResult& b) {
  return are_same_operations(a, b) || (a.applied && a.after == b.after);
}

Violation differs(const FirstCall& call, const CallResult& a, const CallResult& b) {
  Violation violation{
      .severity = Severity::warning, .webhook = call.webhook.key, .verdict = "nondeterministic"};
  violation.path = first_difference_or_order(a.after, b.after);
  violation.value = at_path(b.after, violation.path);
  violation.shape = shape_of(violation.path, b.after, Value());
  violation.reason = "two equal requests differ in " + violation.path;
  return violation;
}

std::vector<OwnCall> both_calls(const FirstCall& call, const CallResult& first, const CallResult& second) {
  return {{"a call", call.webhook.key, call.event.before, first},
          {"an equal call", call.webhook.key, call.event.before, second}};
}

void ask(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations,
         std::vector<Observation>& observations) {
  WebhookCaller caller(examination);
  const CallResult first = caller.call(call.webhook, call.event.before);
  const CallResult second = caller.call(call.webhook, call.event.before);
  if (has_timed_out(first, second)) return;
  if (first.error != second.error) {
    Violation violation{
        .webhook = call.webhook.key, .verdict = "nondeterministic", .path = "error", .shape = "error"};
    violation.reason = "one of two equal requests fails";
    violation.calls = both_calls(call, first, second);
    violations.push_back(std::move(violation));
    return;
  }
  if (!equal_patches(first, second)) {
    violations.push_back(differs(call, first, second));
    violations.back().calls = both_calls(call, first, second);
  } else if (!are_same_operations(first, second)) {
    observations.push_back({.kind = "patch-order",
                            .webhook = call.webhook.key,
                            .path = "patch",
                            .reason = "answers equal requests with the same change by other operations or "
                                      "in another order"});
  }
}

Judgement deterministic(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : calls) ask(examination, call, violations, observations);
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kDeterministic = {
    .name = "deterministic",
    .claim = "Equal requests are changed equally.",
    .is_cheap = false,
    .ask = deterministic,
    .takes_any_kind = true,
    .symptom = "nondeterministic",
    .explanation =
        {.example = "Injected env comes in the order of a hash map.",
         .matters =
             "Controllers that compare Pods see a change where there is none and roll out for nothing.",
         .fix = "Sort what comes from a map; take no time, random number or replica's state into the Pod."},
};

}  // namespace fixpoint::properties
