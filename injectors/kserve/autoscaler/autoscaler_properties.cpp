#include "injectors/kserve/autoscaler/autoscaler_properties.h"

#include <array>

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

bool is_autoscaler(const properties::Tested& tested) {
  return tested.name.substr(0, tested.name.find('@')) == "kserve/hpa";
}

constexpr auto kOfAutoscalers = std::to_array<properties::sequences::Property>({
    {"foreign-object-untouched",
     "An object that a reconciler does not own is never changed or deleted by it.",
     foreign_object_untouched,
     is_autoscaler,
     {"The class becomes none, and the reconciler deletes an HPA of the same name that KEDA manages.",
      "Scaling that another team set up stops, and nothing in their own objects says why.",
      "Compare the controller's owner reference with your own object before every update and delete."}},
    {"external-hands-off",
     "With class external or none a reconcile creates and updates nothing.",
     external_hands_off,
     is_autoscaler,
     {"The class is external, and the reconciler still creates its HPA.",
      "Two autoscalers set the replicas of one Deployment in turn.",
      "Decide on the class first, and return before anything is written."}},
    {"finalizers-respected",
     "A finalizer that somebody else has set outlasts every reconcile.",
     finalizers_respected,
     is_autoscaler,
     {"An update sends the whole object as the reconciler would make it, without the other finalizer.",
      "The object goes away before its other owner has cleaned up behind it.",
      "Patch the fields that you own; remove no finalizer but your own."}},
    {"reconcile-settles",
     "A second reconcile with nothing new issues no write.",
     reconcile_settles,
     is_autoscaler,
     {"The wanted object lacks the server's defaults, so that every comparison finds a difference.",
      "Each write wakes the watch again: the controller works without end and fills the audit log.",
      "Compare only the fields that you set, or apply with server-side apply."}},
    {"no-orphan",
     "What a reconciler owns is gone when the class of the component has no more use for it.",
     no_orphan,
     is_autoscaler,
     {"The class changes from hpa to keda, and the HPA stays beside the ScaledObject.",
      "Two autoscalers scale one Deployment, each against the other.",
      "Delete what you own for every class but the present one, before creating what it needs."}},
});

}  // namespace

std::span<const properties::sequences::Property> all_properties() { return kOfAutoscalers; }

}  // namespace fixpoint::injectors::kserve::autoscaler
