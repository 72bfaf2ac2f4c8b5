#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/cases/sequence.h"
#include "harness/document/limits.h"
#include "harness/properties/property.h"
#include "harness/reconcile/reconciler.h"
#include "harness/reconcile/run_sequence.h"

/// Properties of reconcilers: checked on a Sequence as those of webhooks are on a Case.
namespace fixpoint::properties::sequences {

/// One Sequence with everything that its properties need. A property is a function of the Sequence and the
/// limits alone.
struct Examination {
  const cases::Sequence& value;
  const reconcile::Reconciler& reconciler;
  const std::vector<reconcile::StepResult>& results;
  const Limits& limits;
};

/// A claim about reconcilers:
///
///     Judgement ends_well(const Examination& examination) {
///       for (std::size_t i = 0; i < examination.results.size(); ++i)
///         if (!went_well(examination.results[i])) return judged({{.path = step_path(i), …}});
///       return judged({});
///     }
///     constexpr Property kEndsWell{.name = "ends-well", .claim = …, .ask = ends_well};
struct Property {
  std::string_view name;
  std::string_view claim;
  Judgement (*ask)(const Examination&);
  bool (*applies_to)(const Tested&) = nullptr;  ///< none: it applies to every reconciler
  Explanation explanation = {};
};

/// The properties that need no knowledge of any reconciler; a Catalog has those of packs, too.
std::span<const Property> all();

/// Returns the place of the evidence in the Sequence: "steps[2]".
std::string step_path(std::size_t index);
/// "HorizontalPodAutoscaler default/model-predictor".
std::string title(const Value& object);
/// The stored object that a request is about, or nullptr.
const Value* existing(const reconcile::Objects& stored, const reconcile::Request& request);
/// Returns true if the reconcile sent a request that could change a stored object.
bool writes(const reconcile::StepResult& result);
/// Returns true if it ran to its end without an error.
bool went_well(const reconcile::StepResult& result);

}  // namespace fixpoint::properties::sequences
