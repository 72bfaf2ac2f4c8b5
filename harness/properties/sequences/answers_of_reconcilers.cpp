#include <algorithm>
#include <array>

#include "harness/properties/judge.h"
#include "harness/properties/sequences/sequence_property.h"

namespace fixpoint::properties::sequences {

namespace {

Violation crash(std::size_t index) {
  Violation violation{.path = step_path(index), .value = "reconcile crashes", .shape = "reconcile crashes"};
  violation.reason = "the reconciler crashes in step " + std::to_string(index + 1);
  return violation;
}

Judgement answers(const Examination& examination) {
  const auto& results = examination.results;
  if (std::none_of(results.begin(), results.end(), [](const auto& result) { return result.is_reconcile(); }))
    return not_reached("nothing was reconciled");
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].reconciled.crashed) return judged({crash(i)});
  return judged({});
}

constexpr auto kOfReconcilers = std::to_array<Property>({
    {.name = "answers",
     .claim = "A reconciler comes to the end of every reconcile: it does not crash.",
     .ask = answers,
     .explanation = {.example = "The component has no spec, and the reconciler reads a field of it.",
                     .matters = "The controller restarts, meets the object again, and gets no further.",
                     .fix = "Test with minimal components: no spec, no annotations, nothing stored."}},
});

}  // namespace

std::span<const Property> all() { return kOfReconcilers; }

}  // namespace fixpoint::properties::sequences
