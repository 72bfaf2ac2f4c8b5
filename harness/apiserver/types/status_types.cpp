#include "harness/apiserver/types/status_types.h"

#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kPodConditionFields[] = {
    text("type").always(), int64("observedGeneration").from(33), text("status").always(),
    time("lastProbeTime"), time("lastTransitionTime"),           text("reason"),
    text("message"),
};
static constinit const Type kPodCondition{"PodCondition", kPodConditionFields};

constexpr Field kHostIPFields[] = {
    text("ip").always(),
};
static constinit const Type kHostIP{"HostIP", kHostIPFields};

constexpr Field kPodIPFields[] = {
    text("ip").always(),
};
static constinit const Type kPodIP{"PodIP", kPodIPFields};

constexpr Field kContainerStateWaitingFields[] = {
    text("reason"),
    text("message"),
};
static constinit const Type kContainerStateWaiting{"ContainerStateWaiting", kContainerStateWaitingFields};

constexpr Field kContainerStateRunningFields[] = {
    time("startedAt"),
};
static constinit const Type kContainerStateRunning{"ContainerStateRunning", kContainerStateRunningFields};

constexpr Field kContainerStateTerminatedFields[] = {
    int32("exitCode").always(), int32("signal"),    text("reason"),      text("message"),
    time("startedAt"),          time("finishedAt"), text("containerID"),
};
static constinit const Type kContainerStateTerminated{"ContainerStateTerminated",
                                                      kContainerStateTerminatedFields};

constexpr Field kContainerStateFields[] = {
    object("waiting", kContainerStateWaiting).pointer(),
    object("running", kContainerStateRunning).pointer(),
    object("terminated", kContainerStateTerminated).pointer(),
};
static constinit const Type kContainerState{"ContainerState", kContainerStateFields};

constexpr Field kImageVolumeStatusFields[] = {
    text("imageRef"),
};
static constinit const Type kImageVolumeStatus{"ImageVolumeStatus", kImageVolumeStatusFields};

constexpr Field kVolumeStatusFields[] = {
    object("image", kImageVolumeStatus).pointer(),
};
static constinit const Type kVolumeStatus{"VolumeStatus", kVolumeStatusFields};

constexpr Field kVolumeMountStatusFields[] = {
    text("name").always(),
    text("mountPath").always(),
    boolean("readOnly"),
    text("recursiveReadOnly").pointer(),
    object("volumeStatus", kVolumeStatus).pointer().from(36),
};
static constinit const Type kVolumeMountStatus{"VolumeMountStatus", kVolumeMountStatusFields};

constexpr Field kLinuxContainerUserFields[] = {
    int64("uid").always(),
    int64("gid").always(),
    list_of(int64("supplementalGroups")),
};
static constinit const Type kLinuxContainerUser{"LinuxContainerUser", kLinuxContainerUserFields};

constexpr Field kContainerUserFields[] = {
    object("linux", kLinuxContainerUser).pointer(),
};
static constinit const Type kContainerUser{"ContainerUser", kContainerUserFields};

constexpr Field kResourceHealthFields[] = {
    text("resourceID").always(),
    text("health"),
    text("message").pointer().from(36),
};
static constinit const Type kResourceHealth{"ResourceHealth", kResourceHealthFields};

constexpr Field kResourceStatusFields[] = {
    text("name").always(),
    objects("resources", kResourceHealth),
};
static constinit const Type kResourceStatus{"ResourceStatus", kResourceStatusFields};

constexpr Field kContainerStatusFields[] = {
    text("name").always(),
    object("state", kContainerState),
    object("lastState", kContainerState),
    boolean("ready").always(),
    int32("restartCount").always(),
    text("image").always(),
    text("imageID").always(),
    text("containerID"),
    boolean("started").pointer(),
    map_of(quantity("allocatedResources")).rounded().from(27),
    object("resources", kResourceRequirements).pointer().from(27),
    objects("volumeMounts", kVolumeMountStatus).from(30),
    object("user", kContainerUser).pointer().from(31),
    objects("allocatedResourcesStatus", kResourceStatus).from(31),
    text("stopSignal").pointer().from(33),
};
static constinit const Type kContainerStatus{"ContainerStatus", kContainerStatusFields};

constexpr Field kPodResourceClaimStatusFields[] = {
    text("name").always(),
    text("resourceClaimName").pointer(),
};
static constinit const Type kPodResourceClaimStatus{"PodResourceClaimStatus", kPodResourceClaimStatusFields};

constexpr Field kContainerExtendedResourceRequestFields[] = {
    text("containerName").always(),
    text("resourceName").always(),
    text("requestName").always(),
};
static constinit const Type kContainerExtendedResourceRequest{"ContainerExtendedResourceRequest",
                                                              kContainerExtendedResourceRequestFields};

constexpr Field kPodExtendedResourceClaimStatusFields[] = {
    objects("requestMappings", kContainerExtendedResourceRequest).always(),
    text("resourceClaimName").always(),
};
static constinit const Type kPodExtendedResourceClaimStatus{"PodExtendedResourceClaimStatus",
                                                            kPodExtendedResourceClaimStatusFields};

constexpr Field kNodeAllocatableResourceClaimStatusFields[] = {
    text("resourceClaimName").always(),
    list_of(text("containers")),
    map_of(quantity("resources")).always(),
};
static constinit const Type kNodeAllocatableResourceClaimStatus{"NodeAllocatableResourceClaimStatus",
                                                                kNodeAllocatableResourceClaimStatusFields};

constexpr Field kPodStatusFields[] = {
    int64("observedGeneration").from(33),
    text("phase"),
    objects("conditions", kPodCondition),
    text("message"),
    text("reason"),
    text("nominatedNodeName"),
    text("hostIP"),
    objects("hostIPs", kHostIP).from(28),
    text("podIP"),
    objects("podIPs", kPodIP),
    time("startTime").pointer(),
    objects("initContainerStatuses", kContainerStatus),
    objects("containerStatuses", kContainerStatus),
    text("qosClass"),
    objects("ephemeralContainerStatuses", kContainerStatus),
    text("resize").from(27),
    objects("resourceClaimStatuses", kPodResourceClaimStatus).from(28),
    object("extendedResourceClaimStatus", kPodExtendedResourceClaimStatus).pointer().from(34),
    map_of(quantity("allocatedResources")).rounded().from(35),
    object("resources", kResourceRequirements).pointer().from(35),
    objects("nodeAllocatableResourceClaimStatuses", kNodeAllocatableResourceClaimStatus).from(36),
};
constinit const Type kPodStatus{"PodStatus", kPodStatusFields};

}  // namespace fixpoint::apiserver
