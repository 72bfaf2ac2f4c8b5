#include "harness/apiserver/types/workload_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/rows.h"
#include "harness/apiserver/types/volume_types.h"

namespace fixpoint::apiserver {

constexpr Field kDeploymentConditionFields[] = {
    text("type").always(),      text("status").always(), time("lastUpdateTime"),
    time("lastTransitionTime"), text("reason"),          text("message"),
};
static constinit const Type kDeploymentCondition{"DeploymentCondition", kDeploymentConditionFields};

/// The conditions of the other kinds.
constexpr Field kConditionFields[] = {
    text("type").always(), text("status").always(), time("lastTransitionTime"),
    text("reason"),        text("message"),
};
static constinit const Type kReplicaSetCondition{"ReplicaSetCondition", kConditionFields};
static constinit const Type kStatefulSetCondition{"StatefulSetCondition", kConditionFields};
static constinit const Type kDaemonSetCondition{"DaemonSetCondition", kConditionFields};

constexpr Field kMostAtOnceFields[] = {
    int_or_text("maxUnavailable").pointer(),
    int_or_text("maxSurge").pointer(),
};
static constinit const Type kRollingUpdateDeployment{"RollingUpdateDeployment", kMostAtOnceFields};
static constinit const Type kRollingUpdateDaemonSet{"RollingUpdateDaemonSet", kMostAtOnceFields};

constexpr Field kDeploymentStrategyFields[] = {
    text("type"),
    object("rollingUpdate", kRollingUpdateDeployment).pointer(),
};
static constinit const Type kDeploymentStrategy{"DeploymentStrategy", kDeploymentStrategyFields};

constexpr Field kDeploymentSpecFields[] = {
    int32("replicas").pointer().fallback_number("1"),
    object("selector", kLabelSelector).pointer().always(),
    object("template", kPodTemplateSpec),
    object("strategy", kDeploymentStrategy),
    int32("minReadySeconds"),
    int32("revisionHistoryLimit").pointer().fallback_number("10"),
    boolean("paused"),
    int32("progressDeadlineSeconds").pointer().fallback_number("600"),
};
static constinit const Type kDeploymentSpec{"DeploymentSpec", kDeploymentSpecFields};

constexpr Field kDeploymentStatusFields[] = {
    int64("observedGeneration"),
    int32("replicas"),
    int32("updatedReplicas"),
    int32("readyReplicas"),
    int32("availableReplicas"),
    int32("unavailableReplicas"),
    int32("terminatingReplicas").pointer().from(33),
    objects("conditions", kDeploymentCondition),
    int32("collisionCount").pointer(),
};
static constinit const Type kDeploymentStatus{"DeploymentStatus", kDeploymentStatusFields};

constexpr auto kDeploymentFields =
    object_fields(object("spec", kDeploymentSpec), object("status", kDeploymentStatus));
constinit const Type kDeployment{"Deployment", kDeploymentFields};

constexpr Field kReplicaSetSpecFields[] = {
    int32("replicas").pointer().fallback_number("1"),
    int32("minReadySeconds"),
    object("selector", kLabelSelector).pointer().always(),
    object("template", kPodTemplateSpec),
};
static constinit const Type kReplicaSetSpec{"ReplicaSetSpec", kReplicaSetSpecFields};

constexpr Field kReplicaSetStatusFields[] = {
    int32("replicas").always(),
    int32("fullyLabeledReplicas"),
    int32("readyReplicas"),
    int32("availableReplicas"),
    int32("terminatingReplicas").pointer().from(33),
    int64("observedGeneration"),
    objects("conditions", kReplicaSetCondition),
};
static constinit const Type kReplicaSetStatus{"ReplicaSetStatus", kReplicaSetStatusFields};

constexpr auto kReplicaSetFields =
    object_fields(object("spec", kReplicaSetSpec), object("status", kReplicaSetStatus));
constinit const Type kReplicaSet{"ReplicaSet", kReplicaSetFields};

constexpr Field kRollingUpdateStatefulSetFields[] = {
    int32("partition").pointer().fallback_number("0"),
    int_or_text("maxUnavailable").pointer(),
};
static constinit const Type kRollingUpdateStatefulSet{"RollingUpdateStatefulSetStrategy",
                                                      kRollingUpdateStatefulSetFields};

constexpr Field kStatefulSetUpdateStrategyFields[] = {
    text("type"),
    object("rollingUpdate", kRollingUpdateStatefulSet).pointer(),
};
static constinit const Type kStatefulSetUpdateStrategy{"StatefulSetUpdateStrategy",
                                                       kStatefulSetUpdateStrategyFields};

constexpr Field kClaimRetentionFields[] = {
    text("whenDeleted").fallback("Retain"),
    text("whenScaled").fallback("Retain"),
};
static constinit const Type kClaimRetention{"StatefulSetPersistentVolumeClaimRetentionPolicy",
                                            kClaimRetentionFields};

constexpr Field kStatefulSetOrdinalsFields[] = {
    int32("start").always(),
};
static constinit const Type kStatefulSetOrdinals{"StatefulSetOrdinals", kStatefulSetOrdinalsFields};

constexpr Field kStatefulSetSpecFields[] = {
    int32("replicas").pointer().fallback_number("1"),
    object("selector", kLabelSelector).pointer().always(),
    object("template", kPodTemplateSpec),
    objects("volumeClaimTemplates", kPersistentVolumeClaim),
    text("serviceName").always(),
    text("podManagementPolicy").fallback("OrderedReady"),
    object("updateStrategy", kStatefulSetUpdateStrategy),
    int32("revisionHistoryLimit").pointer().fallback_number("10"),
    int32("minReadySeconds"),
    object("persistentVolumeClaimRetentionPolicy", kClaimRetention).pointer(),
    object("ordinals", kStatefulSetOrdinals).pointer(),
};
static constinit const Type kStatefulSetSpec{"StatefulSetSpec", kStatefulSetSpecFields};

constexpr Field kStatefulSetStatusFields[] = {
    int64("observedGeneration"),
    int32("replicas").always(),
    int32("readyReplicas"),
    int32("currentReplicas"),
    int32("updatedReplicas"),
    text("currentRevision"),
    text("updateRevision"),
    int32("collisionCount").pointer(),
    objects("conditions", kStatefulSetCondition),
    int32("availableReplicas").always(),
};
static constinit const Type kStatefulSetStatus{"StatefulSetStatus", kStatefulSetStatusFields};

constexpr auto kStatefulSetFields =
    object_fields(object("spec", kStatefulSetSpec), object("status", kStatefulSetStatus));
constinit const Type kStatefulSet{"StatefulSet", kStatefulSetFields};

constexpr Field kDaemonSetUpdateStrategyFields[] = {
    text("type"),
    object("rollingUpdate", kRollingUpdateDaemonSet).pointer(),
};
static constinit const Type kDaemonSetUpdateStrategy{"DaemonSetUpdateStrategy",
                                                     kDaemonSetUpdateStrategyFields};

constexpr Field kDaemonSetSpecFields[] = {
    object("selector", kLabelSelector).pointer().always(),
    object("template", kPodTemplateSpec),
    object("updateStrategy", kDaemonSetUpdateStrategy),
    int32("minReadySeconds"),
    int32("revisionHistoryLimit").pointer().fallback_number("10"),
};
static constinit const Type kDaemonSetSpec{"DaemonSetSpec", kDaemonSetSpecFields};

constexpr Field kDaemonSetStatusFields[] = {
    int32("currentNumberScheduled").always(),
    int32("numberMisscheduled").always(),
    int32("desiredNumberScheduled").always(),
    int32("numberReady").always(),
    int64("observedGeneration"),
    int32("updatedNumberScheduled"),
    int32("numberAvailable"),
    int32("numberUnavailable"),
    int32("collisionCount").pointer(),
    objects("conditions", kDaemonSetCondition),
};
static constinit const Type kDaemonSetStatus{"DaemonSetStatus", kDaemonSetStatusFields};

constexpr auto kDaemonSetFields =
    object_fields(object("spec", kDaemonSetSpec), object("status", kDaemonSetStatus));
constinit const Type kDaemonSet{"DaemonSet", kDaemonSetFields};

}  // namespace fixpoint::apiserver
