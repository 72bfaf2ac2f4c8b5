#include "harness/properties/judge.h"
#include "harness/properties/properties.h"
#include "harness/properties/reinvocation.h"

namespace fixpoint::properties {

namespace {

/// Says nothing of its own: a neighbour may have put something in.
constexpr std::string_view kEmptyObject = "{}";

/// Everything that f writes when it sees the neighbour's work at once must be there when it sees it late.
/// What the neighbour itself does otherwise on f's output is not f's doing: then nothing is asked.
void ask(const Examination& examination, const Reinvocation& pair, const Value& x,
         std::vector<Violation>& violations) {
  if (!went_well(pair.again)) return;
  const auto by_neighbour = leaves_of(pair.by_neighbour);
  for (const Leaf& leaf : added(x, pair.neighbour_alone)) {
    const Leaf* there = find(by_neighbour, leaf.path);
    if (there == nullptr || !(*there == leaf)) return;
  }
  const auto late = added(pair.neighbour_alone, pair.late.after);
  if (late.empty()) return;
  const auto again = leaves_of(pair.again.after), first = leaves_of(pair.first);
  for (const Leaf& leaf : late) {
    const Leaf* there = find(again, leaf.path);
    if ((there != nullptr && *there == leaf) || leaf.text == kEmptyObject) continue;
    // It was there before the neighbour came: then the neighbour changed it.
    const Leaf* once = find(first, leaf.path);
    if (once != nullptr && *once == leaf) continue;
    // Who takes a place for a name treats another container now: order-independent says so.
    if (depends_on_place(examination, pair.webhook, examination.admission.first)) return;
    Violation violation = violation_at(pair.webhook, leaf.path, pair.late.after, pair.late);
    violation.severity = Severity::warning;
    violation.because =
        violation.path + (there == nullptr ? " is missing" : " has the value of before") +
        std::string(" when the webhook comes back after a neighbour: what came late is not treated");
    return violations.push_back(std::move(violation));
  }
}

}  // namespace

Judgement reinvocation_complete(const Examination& examination) {
  std::vector<Violation> violations;
  const Value& x = examination.admission.first;
  const bool asked = for_each_reinvocation(
      examination, [&](const Reinvocation& pair) { ask(examination, pair, x, violations); });
  if (!asked) return not_reached("no webhook came back after a neighbour");
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
