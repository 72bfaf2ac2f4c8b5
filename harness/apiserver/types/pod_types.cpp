#include "harness/apiserver/types/pod_types.h"

#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/apiserver/types/security_types.h"
#include "harness/apiserver/types/status_types.h"
#include "harness/apiserver/types/volume_types.h"

namespace fixpoint::apiserver {

namespace {

constexpr ListKey kByContainerName[] = {
    {{"name", {}}, Duplicate::error, "spec.containers spec.initContainers spec.ephemeralContainers"}};
constexpr ListKey kByIp[] = {{{"ip", {}}, Duplicate::warning}};
constexpr ListKey kBySpread[] = {{{"topologyKey", "whenUnsatisfiable"}}};

}  // namespace

constexpr Field kHostAliasFields[] = {
    text("ip").through(29),
    text("ip").always().from(30),
    list_of(text("hostnames")),
};
static constinit const Type kHostAlias{"HostAlias", kHostAliasFields};

constexpr Field kPodDNSConfigOptionFields[] = {
    text("name"),
    text("value").pointer(),
};
static constinit const Type kPodDNSConfigOption{"PodDNSConfigOption", kPodDNSConfigOptionFields};

constexpr Field kPodDNSConfigFields[] = {
    list_of(text("nameservers")),
    list_of(text("searches")),
    objects("options", kPodDNSConfigOption),
};
static constinit const Type kPodDNSConfig{"PodDNSConfig", kPodDNSConfigFields};

constexpr Field kPodReadinessGateFields[] = {
    text("conditionType").always(),
};
static constinit const Type kPodReadinessGate{"PodReadinessGate", kPodReadinessGateFields};

constexpr Field kPodOSFields[] = {
    text("name").always(),
};
static constinit const Type kPodOS{"PodOS", kPodOSFields};

constexpr Field kPodSchedulingGateFields[] = {
    text("name").always(),
};
static constinit const Type kPodSchedulingGate{"PodSchedulingGate", kPodSchedulingGateFields};

constexpr Field kClaimSourceFields[] = {
    text("resourceClaimName").pointer(),
    text("resourceClaimTemplateName").pointer(),
};
static constinit const Type kClaimSource{"ClaimSource", kClaimSourceFields};

constexpr Field kPodResourceClaimFields[] = {
    text("name").always(),
    object("source", kClaimSource).through(30),
    text("resourceClaimName").pointer().from(31),
    text("resourceClaimTemplateName").pointer().from(31),
};
static constinit const Type kPodResourceClaim{"PodResourceClaim", kPodResourceClaimFields};

constexpr Field kPodSchedulingGroupFields[] = {
    text("podGroupName").pointer(),
};
static constinit const Type kPodSchedulingGroup{"PodSchedulingGroup", kPodSchedulingGroupFields};

constexpr Field kWorkloadReferenceFields[] = {
    text("name").always(),
    text("podGroup").always(),
    text("podGroupReplicaKey"),
};
static constinit const Type kWorkloadReference{"WorkloadReference", kWorkloadReferenceFields};

constexpr Field kPodSpecFields[] = {
    objects("volumes", kVolume).keyed(kByName),
    objects("initContainers", kContainer).keyed(kByContainerName),
    objects("containers", kContainer).always().keyed(kByContainerName),
    objects("ephemeralContainers", kEphemeralContainer).keyed(kByContainerName),
    text("restartPolicy").fallback("Always"),
    int64("terminationGracePeriodSeconds").pointer().fallback_number("30"),
    int64("activeDeadlineSeconds").pointer(),
    text("dnsPolicy").fallback("ClusterFirst"),
    map_of(text("nodeSelector")),
    text("serviceAccountName"),
    text("serviceAccount"),
    boolean("automountServiceAccountToken").pointer(),
    text("nodeName"),
    boolean("hostNetwork"),
    boolean("hostPID"),
    boolean("hostIPC"),
    boolean("shareProcessNamespace").pointer(),
    object("securityContext", kPodSecurityContext).pointer().fallback_object(),
    objects("imagePullSecrets", kLocalObjectReference).keyed(kByNameWarned),
    text("hostname"),
    text("subdomain"),
    object("affinity", kAffinity).pointer(),
    text("schedulerName").fallback("default-scheduler"),
    objects("tolerations", kToleration).keyed(kBySelf),
    objects("hostAliases", kHostAlias).keyed(kByIp),
    text("priorityClassName"),
    int32("priority").pointer(),
    object("dnsConfig", kPodDNSConfig).pointer(),
    objects("readinessGates", kPodReadinessGate).keyed(kBySelf),
    text("runtimeClassName").pointer(),
    boolean("enableServiceLinks").pointer().fallback_truth(true),
    text("preemptionPolicy").pointer(),
    map_of(quantity("overhead")).rounded(),
    objects("topologySpreadConstraints", kTopologySpreadConstraint).keyed(kBySpread),
    boolean("setHostnameAsFQDN").pointer(),
    object("os", kPodOS).pointer(),
    boolean("hostUsers").pointer(),
    objects("schedulingGates", kPodSchedulingGate).keyed(kByName),
    objects("resourceClaims", kPodResourceClaim).keyed(kByName),
    object("resources", kResourceRequirements).pointer().from(32),
    text("hostnameOverride").pointer().from(34),
    object("schedulingGroup", kPodSchedulingGroup).pointer().from(36),
    object("workloadRef", kWorkloadReference).pointer().from(35).through(35),
};
constinit const Type kPodSpec{"PodSpec", kPodSpecFields};

namespace {

/// The spec of a template has the fields of a Pod's. What only SetDefaults_Pod sets is not set in it
/// (pkg/apis/core/v1/defaults.go).
constexpr auto kTemplatePodSpecFields = [] {
  auto fields = std::to_array(kPodSpecFields);
  for (Field& field : fields)
    if (field.name.text == "enableServiceLinks") field.fallback_kind = Default::none;
  return fields;
}();
/// It says in stamps that it is another type.
constexpr Type kTemplatePodSpec = [] {
  Type type{"PodSpec", kTemplatePodSpecFields};
  type.id ^= 1;
  return type;
}();

constexpr Field kPodTemplateSpecFields[] = {
    object("metadata", kObjectMeta),
    object("spec", kTemplatePodSpec),
};

}  // namespace

constinit const Type kPodTemplateSpec{"PodTemplateSpec", kPodTemplateSpecFields};

constexpr auto kPodFields = object_fields(object("spec", kPodSpec), object("status", kPodStatus));
constinit const Type kPod{"Pod", kPodFields};

}  // namespace fixpoint::apiserver
