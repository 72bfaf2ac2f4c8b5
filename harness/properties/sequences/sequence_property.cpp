#include "harness/properties/sequences/sequence_property.h"

#include <algorithm>

namespace fixpoint::properties::sequences {

std::string step_path(std::size_t index) { return "steps[" + std::to_string(index) + "]"; }

std::string title(const Value& object) {
  const Value& metadata = object["metadata"];
  std::string text(object["kind"].text());
  text.append(" ").append(metadata["namespace"].text()).append("/").append(metadata["name"].text());
  return text;
}

const Value* existing(const reconcile::Objects& stored, const reconcile::Request& request) {
  const Value& metadata = request.object["metadata"];
  return stored.find(request.object["kind"].text(), metadata["namespace"].text(), metadata["name"].text());
}

bool writes(const reconcile::StepResult& result) {
  const auto& requests = result.reconciled.requests;
  return std::any_of(requests.begin(), requests.end(),
                     [](const reconcile::Request& request) { return !request.dry_run; });
}

bool went_well(const reconcile::StepResult& result) {
  return result.is_reconcile() && result.reconciled.error.empty() && !result.reconciled.crashed;
}

}  // namespace fixpoint::properties::sequences
