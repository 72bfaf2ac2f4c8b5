#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/apiserver/course.h"
#include "harness/cases/sequence.h"
#include "harness/document/limits.h"
#include "harness/properties/property.h"
#include "harness/webhooks/reconciler.h"

/// Properties of reconcilers: asked of a Sequence as those of webhooks are asked of a Case.
namespace fixpoint::properties::sequences {

/// One Sequence with all that its properties ask. A property is a function of the Sequence and the limits
/// alone.
struct Examination {
  const cases::Sequence& value;
  const webhooks::Reconciler& reconciler;
  const apiserver::Course& course;
  const Limits& limits;
};

struct Property {
  std::string_view name;
  std::string_view claim;
  Judgement (*ask)(const Examination&);
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
const Value* existing(const webhooks::Objects& stored, const webhooks::Request& request);
/// Whether the reconcile asked for something that could change what is stored.
bool writes(const apiserver::Turn& turn);
/// Whether it ran to its end without an error.
bool went_well(const apiserver::Turn& turn);

}  // namespace fixpoint::properties::sequences
