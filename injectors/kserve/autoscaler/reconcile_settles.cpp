#include <algorithm>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

/// Returns the verdict on repeated reconciles: settles-after-k, oscillating-c or unsettled
/// (docs/judging.md#verdicts). A reconciler is a function of the stored objects, so a recurring state leads
/// to a cycle.
std::string verdict_of(const reconcile::StepResult& first, const reconcile::StepResult& second,
                       const Examination& examination) {
  std::vector<std::vector<Value>> states{first.after.all};
  reconcile::StepResult again = second;
  for (int calls = 2; calls <= examination.limits.repeats_max; ++calls) {
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!(states[i] == again.after.all)) continue;
      const std::size_t length = states.size() - i;
      return length == 1 ? "unsettled" : "oscillating-" + std::to_string(length);
    }
    states.push_back(again.after.all);
    again = reconcile::reconcile_again(again, examination.reconciler);
    if (!writes(again)) return "settles-after-" + std::to_string(calls);
  }
  return "unsettled";
}

Violation violation(const reconcile::StepResult& result, const reconcile::StepResult& again,
                    std::size_t index, std::string verdict) {
  const auto& requests = again.reconciled.requests;
  const auto& request = *std::find_if(requests.begin(), requests.end(),
                                      [](const reconcile::Request& each) { return !each.dry_run; });
  const std::string verb(reconcile::word(request.verb)), name(class_of(result.desired));
  Violation out{.verdict = std::move(verdict), .path = step_path(index)};
  out.severity = is_endless(out.verdict) ? Severity::error : Severity::warning;
  out.value = verb + " " + title(request.object);
  out.shape = std::string(request.object["kind"].text()).append(".").append(verb);
  out.shape.append("[class=").append(name).append("]");
  const bool changes = !(again.before.all == again.after.all);
  out.reason = "a second reconcile with nothing new " + verb + "s " + title(request.object) +
               (is_endless(out.verdict) ? ", and so does every later one" : "") +
               (changes ? "" : ", though that changes nothing");
  return out;
}

/// Returns true if a stored object still waits for its finalizers before it is deleted.
bool is_waiting(const reconcile::Objects& stored) {
  return std::any_of(stored.all.begin(), stored.all.end(),
                     [](const Value& object) { return !object["metadata"]["deletionTimestamp"].is_null(); });
}

}  // namespace

Judgement reconcile_settles(const Examination& examination) {
  const auto ask = [&](const StepResult& result, std::size_t i, std::vector<Violation>& violations) {
    if (!went_well(result) || is_waiting(result.before)) return false;
    const auto again = reconcile::reconcile_again(result, examination.reconciler);
    if (went_well(again) && writes(again))
      violations.push_back(violation(result, again, i, verdict_of(result, again, examination)));
    return went_well(again);
  };
  return judged_steps(examination, "no reconcile came to its end", ask);
}

}  // namespace fixpoint::injectors::kserve::autoscaler
