#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/cases/sequence.h"
#include "harness/document/limits.h"
#include "harness/properties/property.h"
#include "harness/reconcile/reconciler.h"
#include "harness/reconcile/run_sequence.h"

/// Properties of reconcilers: asked of a Sequence as those of webhooks are asked of a Case.
namespace fixpoint::properties::sequences {

/// One Sequence with all that its properties ask. A property is a function of the Sequence and the limits
/// alone.
struct Examination {
  const cases::Sequence& value;
  const reconcile::Reconciler& reconciler;
  const std::vector<reconcile::StepResult>& results;
  const Limits& limits;
};

struct Property {
  std::string_view name;
  std::string_view claim;
  Judgement (*ask)(const Examination&);
  bool (*applies_to)(const Tested&) = nullptr;  ///< none: to every reconciler
};

/// All properties of Sequences, in the order in which they are asked and printed.
std::span<const Property> all();
const Property* find(std::string_view name);

// One function a property, each in a file of its own; the catalog says what they claim.
Judgement foreign_object_untouched(const Examination& examination);
Judgement external_hands_off(const Examination& examination);
Judgement finalizers_respected(const Examination& examination);
Judgement reconcile_settles(const Examination& examination);
Judgement no_orphan(const Examination& examination);

/// "steps[2]": where in the Sequence the evidence stands.
std::string step_path(std::size_t index);
/// "HorizontalPodAutoscaler default/model-predictor".
std::string title(const Value& object);
/// The stored object that a request is about, or nullptr.
const Value* existing(const reconcile::Objects& stored, const reconcile::Request& request);
/// Whether the reconcile asked for something that could change what is stored.
bool writes(const reconcile::StepResult& result);
/// Whether it ran to its end without an error.
bool went_well(const reconcile::StepResult& result);

}  // namespace fixpoint::properties::sequences
