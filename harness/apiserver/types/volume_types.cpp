#include "harness/apiserver/types/volume_types.h"

#include "harness/apiserver/types/legacy_volume_types.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"
#include "harness/apiserver/types/volume_source_types.h"

namespace fixpoint::apiserver {

constexpr Field kVolumeResourceRequirementsFields[] = {
    map_of(quantity("limits")).rounded(),
    map_of(quantity("requests")).rounded(),
};
static constinit const Type kVolumeResourceRequirements{"VolumeResourceRequirements",
                                                        kVolumeResourceRequirementsFields};

constexpr Field kTypedLocalObjectReferenceFields[] = {
    text("apiGroup").pointer().always(),
    text("kind").always(),
    text("name").always(),
};
constinit const Type kTypedLocalObjectReference{"TypedLocalObjectReference",
                                                kTypedLocalObjectReferenceFields};

constexpr Field kTypedObjectReferenceFields[] = {
    text("apiGroup").pointer().always(),
    text("kind").always(),
    text("name").always(),
    text("namespace").pointer(),
};
static constinit const Type kTypedObjectReference{"TypedObjectReference", kTypedObjectReferenceFields};

constexpr Field kPersistentVolumeClaimSpecFields[] = {
    list_of(text("accessModes")),
    object("selector", kLabelSelector).pointer(),
    object("resources", kVolumeResourceRequirements),
    text("volumeName"),
    text("storageClassName").pointer(),
    text("volumeMode").pointer().fallback("Filesystem"),
    object("dataSource", kTypedLocalObjectReference).pointer(),
    object("dataSourceRef", kTypedObjectReference).pointer(),
    text("volumeAttributesClassName").pointer().from(29),
};
static constinit const Type kPersistentVolumeClaimSpec{"PersistentVolumeClaimSpec",
                                                       kPersistentVolumeClaimSpecFields};

constexpr Field kPersistentVolumeClaimConditionFields[] = {
    text("type").always(),      text("status").always(), time("lastProbeTime"),
    time("lastTransitionTime"), text("reason"),          text("message"),
};
static constinit const Type kPersistentVolumeClaimCondition{"PersistentVolumeClaimCondition",
                                                            kPersistentVolumeClaimConditionFields};

constexpr Field kModifyVolumeStatusFields[] = {
    text("targetVolumeAttributesClassName"),
    text("status").always(),
};
static constinit const Type kModifyVolumeStatus{"ModifyVolumeStatus", kModifyVolumeStatusFields};

constexpr Field kPersistentVolumeClaimStatusFields[] = {
    text("phase").fallback("Pending"),
    list_of(text("accessModes")),
    map_of(quantity("capacity")).rounded(),
    objects("conditions", kPersistentVolumeClaimCondition),
    map_of(quantity("allocatedResources")).rounded(),
    map_of(text("allocatedResourceStatuses")).from(28),
    text("currentVolumeAttributesClassName").pointer().from(29),
    object("modifyVolumeStatus", kModifyVolumeStatus).pointer().from(29),
};
static constinit const Type kPersistentVolumeClaimStatus{"PersistentVolumeClaimStatus",
                                                         kPersistentVolumeClaimStatusFields};

constexpr auto kPersistentVolumeClaimFields =
    object_fields(object("spec", kPersistentVolumeClaimSpec), object("status", kPersistentVolumeClaimStatus));
constinit const Type kPersistentVolumeClaim{"PersistentVolumeClaim", kPersistentVolumeClaimFields};

constexpr Field kPersistentVolumeClaimTemplateFields[] = {
    object("metadata", kObjectMeta),
    object("spec", kPersistentVolumeClaimSpec),
};
static constinit const Type kPersistentVolumeClaimTemplate{"PersistentVolumeClaimTemplate",
                                                           kPersistentVolumeClaimTemplateFields};

constexpr Field kEphemeralVolumeSourceFields[] = {
    object("volumeClaimTemplate", kPersistentVolumeClaimTemplate).pointer(),
};
static constinit const Type kEphemeralVolumeSource{"EphemeralVolumeSource", kEphemeralVolumeSourceFields};

constexpr Field kVolumeFields[] = {
    text("name").always(),
    object("hostPath", kHostPathVolumeSource).pointer(),
    object("emptyDir", kEmptyDirVolumeSource).pointer().fallback_by(Default::only_source, {}),
    object("gcePersistentDisk", kGCEPersistentDiskVolumeSource).pointer(),
    object("awsElasticBlockStore", kAWSElasticBlockStoreVolumeSource).pointer(),
    object("gitRepo", kGitRepoVolumeSource).pointer(),
    object("secret", kSecretVolumeSource).pointer(),
    object("nfs", kNFSVolumeSource).pointer(),
    object("iscsi", kISCSIVolumeSource).pointer(),
    object("glusterfs", kGlusterfsVolumeSource).pointer(),
    object("persistentVolumeClaim", kPersistentVolumeClaimVolumeSource).pointer(),
    object("rbd", kRBDVolumeSource).pointer(),
    object("flexVolume", kFlexVolumeSource).pointer(),
    object("cinder", kCinderVolumeSource).pointer(),
    object("cephfs", kCephFSVolumeSource).pointer(),
    object("flocker", kFlockerVolumeSource).pointer(),
    object("downwardAPI", kDownwardAPIVolumeSource).pointer(),
    object("fc", kFCVolumeSource).pointer(),
    object("azureFile", kAzureFileVolumeSource).pointer(),
    object("configMap", kConfigMapVolumeSource).pointer(),
    object("vsphereVolume", kVsphereVirtualDiskVolumeSource).pointer(),
    object("quobyte", kQuobyteVolumeSource).pointer(),
    object("azureDisk", kAzureDiskVolumeSource).pointer(),
    object("photonPersistentDisk", kPhotonPersistentDiskVolumeSource).pointer(),
    object("projected", kProjectedVolumeSource).pointer(),
    object("portworxVolume", kPortworxVolumeSource).pointer(),
    object("scaleIO", kScaleIOVolumeSource).pointer(),
    object("storageos", kStorageOSVolumeSource).pointer(),
    object("csi", kCSIVolumeSource).pointer(),
    object("ephemeral", kEphemeralVolumeSource).pointer(),
    object("image", kImageVolumeSource).pointer().from(31),
};
constinit const Type kVolume{"Volume", kVolumeFields};

}  // namespace fixpoint::apiserver
