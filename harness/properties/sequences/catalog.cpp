#include <algorithm>
#include <array>

#include "harness/properties/sequences/sequence_property.h"

namespace fixpoint::properties::sequences {

namespace {

constexpr auto kProperties = std::to_array<Property>({
    {"foreign-object-untouched",
     "An object that a reconciler does not own is never changed or deleted by it.", foreign_object_untouched},
    {"external-hands-off", "With class external or none a reconcile creates and updates nothing.",
     external_hands_off},
    {"finalizers-respected", "A finalizer that somebody else has set outlasts every reconcile.",
     finalizers_respected},
    {"reconcile-settles", "A second reconcile with nothing new issues no write.", reconcile_settles},
    {"no-orphan", "What a reconciler owns is gone when the class of the component has no more use for it.",
     no_orphan},
});

}  // namespace

std::span<const Property> all() { return kProperties; }

const Property* find(std::string_view name) {
  for (const Property& property : kProperties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

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
