#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/reinvocation.h"

namespace fixpoint::properties {

namespace {

/// Everything that f writes if it sees the neighbour's changes at once must also be there if it sees them
/// late. Nothing is checked if the neighbour itself behaves differently on f's output, since f is not to
/// blame for that.
void ask(const Examination& examination, const Reinvocation& pair, const Value& x,
         std::vector<Violation>& violations) {
  if (!went_well(pair.again) || pair.again.after == pair.late.after) return;
  const auto of_neighbour = differing(pair.neighbour_alone, pair.by_neighbour);
  for (const PathValue& path_value : added(x, pair.neighbour_alone)) {
    if (!agrees(of_neighbour, path_value)) return;
  }
  const auto late = added(pair.neighbour_alone, pair.late.after);
  if (late.empty()) return;
  const auto again = differing(pair.late.after, pair.again.after);
  for (const PathValue& path_value : late) {
    // An empty object is not compared: a neighbour may have put something into it.
    if (path_value.value.is_object() || agrees(again, path_value)) continue;
    // The value existed before the neighbour was called, so that the neighbour changed it.
    if (agrees(differing(pair.late.after, pair.first), path_value)) continue;
    // A webhook that identifies a container by its place changes another container now: order-independent
    // reports it.
    if (depends_on_place(examination, pair.webhook, examination.admission.first)) return;
    Violation violation = violation_at(pair.webhook, path_value.path, pair.late.after, pair.late);
    violation.severity = Severity::warning;
    violation.reason =
        violation.path +
        (find(again.after, path_value.path) == nullptr ? " is missing" : " has its old value") +
        std::string(
            " when the webhook is called again after a neighbour: it does not treat what was added late");
    violation.calls = {
        {"a first call after the neighbour", pair.webhook.key, pair.neighbour_alone, pair.late},
        after_neighbour(pair)};
    return violations.push_back(std::move(violation));
  }
}

Judgement reinvocation_complete(const Examination& examination) {
  std::vector<Violation> violations;
  const Value& x = examination.admission.first;
  const bool asked = for_each_reinvocation(
      examination, [&](const Reinvocation& pair) { ask(examination, pair, x, violations); });
  if (!asked) return not_reached("no webhook came back after a neighbour");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kReinvocationComplete = {
    .name = "reinvocation-complete",
    .claim =
        "Called again after a neighbour, a webhook treats what was added late as if it had been there at "
        "first.",
    .is_cheap = false,
    .ask = reinvocation_complete,
    .takes_any_kind = true,
    .symptom = "late",
    .explanation =
        {.example = "The volume is there, so the webhook returns: a late sidecar gets no mount.",
         .matters =
             "The sidecar of another injector runs without the identity, proxy settings or secrets it needs.",
         .fix = "Guard each container by itself; recompute what depends on other containers."},
};

}  // namespace fixpoint::properties
