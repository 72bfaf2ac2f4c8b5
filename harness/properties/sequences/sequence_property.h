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
  Explanation explanation = {};
};

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
