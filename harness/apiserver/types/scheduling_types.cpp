#include "harness/apiserver/types/scheduling_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kNodeSelectorRequirementFields[] = {
    text("key").always(),
    text("operator").always(),
    list_of(text("values")),
};
static constinit const Type kNodeSelectorRequirement{"NodeSelectorRequirement",
                                                     kNodeSelectorRequirementFields};

constexpr Field kNodeSelectorTermFields[] = {
    objects("matchExpressions", kNodeSelectorRequirement),
    objects("matchFields", kNodeSelectorRequirement),
};
static constinit const Type kNodeSelectorTerm{"NodeSelectorTerm", kNodeSelectorTermFields};

constexpr Field kNodeSelectorFields[] = {
    objects("nodeSelectorTerms", kNodeSelectorTerm).always(),
};
static constinit const Type kNodeSelector{"NodeSelector", kNodeSelectorFields};

constexpr Field kPreferredSchedulingTermFields[] = {
    int32("weight").always(),
    object("preference", kNodeSelectorTerm),
};
static constinit const Type kPreferredSchedulingTerm{"PreferredSchedulingTerm",
                                                     kPreferredSchedulingTermFields};

constexpr Field kNodeAffinityFields[] = {
    object("requiredDuringSchedulingIgnoredDuringExecution", kNodeSelector).pointer(),
    objects("preferredDuringSchedulingIgnoredDuringExecution", kPreferredSchedulingTerm),
};
constinit const Type kNodeAffinity{"NodeAffinity", kNodeAffinityFields};

constexpr Field kPodAffinityTermFields[] = {
    object("labelSelector", kLabelSelector).pointer(),
    list_of(text("namespaces")),
    text("topologyKey").always(),
    object("namespaceSelector", kLabelSelector).pointer(),
    list_of(text("matchLabelKeys")).from(29),
    list_of(text("mismatchLabelKeys")).from(29),
};
static constinit const Type kPodAffinityTerm{"PodAffinityTerm", kPodAffinityTermFields};

constexpr Field kWeightedPodAffinityTermFields[] = {
    int32("weight").always(),
    object("podAffinityTerm", kPodAffinityTerm),
};
static constinit const Type kWeightedPodAffinityTerm{"WeightedPodAffinityTerm",
                                                     kWeightedPodAffinityTermFields};

constexpr Field kPodAffinityFields[] = {
    objects("requiredDuringSchedulingIgnoredDuringExecution", kPodAffinityTerm),
    objects("preferredDuringSchedulingIgnoredDuringExecution", kWeightedPodAffinityTerm),
};
static constinit const Type kPodAffinity{"PodAffinity", kPodAffinityFields};

constexpr Field kPodAntiAffinityFields[] = {
    objects("requiredDuringSchedulingIgnoredDuringExecution", kPodAffinityTerm),
    objects("preferredDuringSchedulingIgnoredDuringExecution", kWeightedPodAffinityTerm),
};
static constinit const Type kPodAntiAffinity{"PodAntiAffinity", kPodAntiAffinityFields};

constexpr Field kAffinityFields[] = {
    object("nodeAffinity", kNodeAffinity).pointer(),
    object("podAffinity", kPodAffinity).pointer(),
    object("podAntiAffinity", kPodAntiAffinity).pointer(),
};
constinit const Type kAffinity{"Affinity", kAffinityFields};

constexpr Field kTolerationFields[] = {
    text("key"), text("operator"), text("value"), text("effect"), int64("tolerationSeconds").pointer(),
};
constinit const Type kToleration{"Toleration", kTolerationFields};

constexpr Field kTopologySpreadConstraintFields[] = {
    int32("maxSkew").always(),          text("topologyKey").always(),
    text("whenUnsatisfiable").always(), object("labelSelector", kLabelSelector).pointer(),
    int32("minDomains").pointer(),      text("nodeAffinityPolicy").pointer(),
    text("nodeTaintsPolicy").pointer(), list_of(text("matchLabelKeys")),
};
constinit const Type kTopologySpreadConstraint{"TopologySpreadConstraint", kTopologySpreadConstraintFields};

}  // namespace fixpoint::apiserver
