#include "injectors/kserve/autoscaler/autoscaler_properties.h"

#include <array>

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

bool is_autoscaler(const properties::Tested& tested) {
  return tested.name.substr(0, tested.name.find('@')) == "kserve/hpa";
}

constexpr auto kOfAutoscalers = std::to_array<properties::sequences::Property>({
    {"foreign-object-untouched",
     "An object that a reconciler does not own is never changed or deleted by it.", foreign_object_untouched,
     is_autoscaler},
    {"external-hands-off", "With class external or none a reconcile creates and updates nothing.",
     external_hands_off, is_autoscaler},
    {"finalizers-respected", "A finalizer that somebody else has set outlasts every reconcile.",
     finalizers_respected, is_autoscaler},
    {"reconcile-settles", "A second reconcile with nothing new issues no write.", reconcile_settles,
     is_autoscaler},
    {"no-orphan", "What a reconciler owns is gone when the class of the component has no more use for it.",
     no_orphan, is_autoscaler},
});

}  // namespace

std::span<const properties::sequences::Property> all_properties() { return kOfAutoscalers; }

}  // namespace fixpoint::injectors::kserve::autoscaler
