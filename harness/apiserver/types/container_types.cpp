#include "harness/apiserver/types/container_types.h"

#include "harness/apiserver/types/probe_types.h"
#include "harness/apiserver/types/rows.h"
#include "harness/apiserver/types/security_types.h"
#include "harness/apiserver/types/volume_source_types.h"

namespace fixpoint::apiserver {

namespace {

constexpr ListKey kByClaim[] = {{{"name", "request"}}};
constexpr ListKey kByPort[] = {{{"containerPort", "protocol"}, Duplicate::warning},
                               {{"name", {}}, Duplicate::error}};
constexpr ListKey kByResource[] = {{{"resourceName", {}}}};
constexpr ListKey kByMountPath[] = {{{"mountPath", {}}}};
constexpr ListKey kByDevice[] = {{{"devicePath", {}}}, {{"name", {}}}};

}  // namespace

constexpr Field kContainerPortFields[] = {
    text("name"),   int32("hostPort"), int32("containerPort").always(), text("protocol").fallback("TCP"),
    text("hostIP"),
};
static constinit const Type kContainerPort{"ContainerPort", kContainerPortFields};

constexpr Field kConfigMapEnvSourceFields[] = {
    text("name"),
    boolean("optional").pointer(),
};
static constinit const Type kConfigMapEnvSource{"ConfigMapEnvSource", kConfigMapEnvSourceFields};

constexpr Field kSecretEnvSourceFields[] = {
    text("name"),
    boolean("optional").pointer(),
};
static constinit const Type kSecretEnvSource{"SecretEnvSource", kSecretEnvSourceFields};

constexpr Field kEnvFromSourceFields[] = {
    text("prefix"),
    object("configMapRef", kConfigMapEnvSource).pointer(),
    object("secretRef", kSecretEnvSource).pointer(),
};
static constinit const Type kEnvFromSource{"EnvFromSource", kEnvFromSourceFields};

constexpr Field kConfigMapKeySelectorFields[] = {
    text("name"),
    text("key").always(),
    boolean("optional").pointer(),
};
static constinit const Type kConfigMapKeySelector{"ConfigMapKeySelector", kConfigMapKeySelectorFields};

constexpr Field kSecretKeySelectorFields[] = {
    text("name"),
    text("key").always(),
    boolean("optional").pointer(),
};
static constinit const Type kSecretKeySelector{"SecretKeySelector", kSecretKeySelectorFields};

constexpr Field kFileKeySelectorFields[] = {
    text("volumeName").always(),
    text("path").always(),
    text("key").always(),
    boolean("optional").pointer().fallback_truth(false),
};
static constinit const Type kFileKeySelector{"FileKeySelector", kFileKeySelectorFields};

constexpr Field kEnvVarSourceFields[] = {
    object("fieldRef", kObjectFieldSelector).pointer(),
    object("resourceFieldRef", kResourceFieldSelector).pointer(),
    object("configMapKeyRef", kConfigMapKeySelector).pointer(),
    object("secretKeyRef", kSecretKeySelector).pointer(),
    object("fileKeyRef", kFileKeySelector).pointer().from(34),
};
static constinit const Type kEnvVarSource{"EnvVarSource", kEnvVarSourceFields};

constexpr Field kEnvVarFields[] = {
    text("name").always(),
    text("value"),
    object("valueFrom", kEnvVarSource).pointer(),
};
static constinit const Type kEnvVar{"EnvVar", kEnvVarFields};

constexpr Field kResourceClaimFields[] = {
    text("name").always(),
    text("request").from(31),
};
static constinit const Type kResourceClaim{"ResourceClaim", kResourceClaimFields};

constexpr Field kResourceRequirementsFields[] = {
    map_of(quantity("limits")).rounded(),
    map_of(quantity("requests")).rounded(),
    objects("claims", kResourceClaim).keyed(kByClaim),
};
constinit const Type kResourceRequirements{"ResourceRequirements", kResourceRequirementsFields};

constexpr Field kContainerResizePolicyFields[] = {
    text("resourceName").always(),
    text("restartPolicy").always(),
};
static constinit const Type kContainerResizePolicy{"ContainerResizePolicy", kContainerResizePolicyFields};

constexpr Field kContainerRestartRuleOnExitCodesFields[] = {
    text("operator"),
    list_of(int32("values")),
};
static constinit const Type kContainerRestartRuleOnExitCodes{"ContainerRestartRuleOnExitCodes",
                                                             kContainerRestartRuleOnExitCodesFields};

constexpr Field kContainerRestartRuleFields[] = {
    text("action"),
    object("exitCodes", kContainerRestartRuleOnExitCodes).pointer(),
};
static constinit const Type kContainerRestartRule{"ContainerRestartRule", kContainerRestartRuleFields};

constexpr Field kVolumeMountFields[] = {
    text("name").always(),      boolean("readOnly"), text("recursiveReadOnly").pointer().from(30),
    text("mountPath").always(), text("subPath"),     text("mountPropagation").pointer(),
    text("subPathExpr"),
};
static constinit const Type kVolumeMount{"VolumeMount", kVolumeMountFields};

constexpr Field kVolumeDeviceFields[] = {
    text("name").always(),
    text("devicePath").always(),
};
static constinit const Type kVolumeDevice{"VolumeDevice", kVolumeDeviceFields};

constexpr Field kContainerFields[] = {
    text("name").always(),
    text("image"),
    list_of(text("command")),
    list_of(text("args")),
    text("workingDir"),
    objects("ports", kContainerPort).keyed(kByPort),
    objects("envFrom", kEnvFromSource).keyed(kBySelf),
    objects("env", kEnvVar).keyed(kByNameWarned),
    object("resources", kResourceRequirements),
    objects("resizePolicy", kContainerResizePolicy).keyed(kByResource).from(27),
    text("restartPolicy").pointer().from(28),
    objects("restartPolicyRules", kContainerRestartRule).from(34),
    objects("volumeMounts", kVolumeMount).keyed(kByMountPath),
    objects("volumeDevices", kVolumeDevice).keyed(kByDevice),
    object("livenessProbe", kProbe).pointer(),
    object("readinessProbe", kProbe).pointer(),
    object("startupProbe", kProbe).pointer(),
    object("lifecycle", kLifecycle).pointer(),
    text("terminationMessagePath").fallback("/dev/termination-log"),
    text("terminationMessagePolicy").fallback("File"),
    text("imagePullPolicy").fallback_by(Default::pull_policy, "image"),
    object("securityContext", kSecurityContext).pointer(),
    boolean("stdin"),
    boolean("stdinOnce"),
    boolean("tty"),
};
constinit const Type kContainer{"Container", kContainerFields};

constexpr auto kEphemeralContainerFields = fields_with(kContainerFields, text("targetContainerName"));
constinit const Type kEphemeralContainer{"EphemeralContainer", kEphemeralContainerFields};

}  // namespace fixpoint::apiserver
