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
    {"users-object-kept",
     "An object that a user made is never deleted, even after a reconcile put its owner into it.",
     users_object_kept,
     is_autoscaler,
     {"Under class external the first reconcile updates the user's HPA and owns it; the second deletes it.",
      "The component runs without any autoscaler, though the user asked to keep their own.",
      "Read the owner before you write, and leave alone what was not yours."}},
    {"written-objects-taken",
     "What a reconciler writes is taken by the API that acts on it, and scales by what the component asks "
     "for.",
     written_objects_taken,
     is_autoscaler,
     {"Class keda without a metric gives a ScaledObject with an empty list of triggers.",
      "KEDA's webhook refuses the object, and each reconcile ends with that error.",
      "Give a metric without a target its default, and write no autoscaler without a metric."}},
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
