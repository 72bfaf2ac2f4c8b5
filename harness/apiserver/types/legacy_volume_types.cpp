#include "harness/apiserver/types/legacy_volume_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kGCEPersistentDiskVolumeSourceFields[] = {
    text("pdName").always(),
    text("fsType"),
    int32("partition"),
    boolean("readOnly"),
};
constinit const Type kGCEPersistentDiskVolumeSource{"GCEPersistentDiskVolumeSource",
                                                    kGCEPersistentDiskVolumeSourceFields};

constexpr Field kAWSElasticBlockStoreVolumeSourceFields[] = {
    text("volumeID").always(),
    text("fsType"),
    int32("partition"),
    boolean("readOnly"),
};
constinit const Type kAWSElasticBlockStoreVolumeSource{"AWSElasticBlockStoreVolumeSource",
                                                       kAWSElasticBlockStoreVolumeSourceFields};

constexpr Field kGitRepoVolumeSourceFields[] = {
    text("repository").always(),
    text("revision"),
    text("directory"),
};
constinit const Type kGitRepoVolumeSource{"GitRepoVolumeSource", kGitRepoVolumeSourceFields};

constexpr Field kGlusterfsVolumeSourceFields[] = {
    text("endpoints").always(),
    text("path").always(),
    boolean("readOnly"),
};
constinit const Type kGlusterfsVolumeSource{"GlusterfsVolumeSource", kGlusterfsVolumeSourceFields};

constexpr Field kRBDVolumeSourceFields[] = {
    list_of(text("monitors")).always(),
    text("image").always(),
    text("fsType"),
    text("pool").fallback("rbd"),
    text("user").fallback("admin"),
    text("keyring").fallback("/etc/ceph/keyring"),
    object("secretRef", kLocalObjectReference).pointer(),
    boolean("readOnly"),
};
constinit const Type kRBDVolumeSource{"RBDVolumeSource", kRBDVolumeSourceFields};

constexpr Field kFlexVolumeSourceFields[] = {
    text("driver").always(), text("fsType"),          object("secretRef", kLocalObjectReference).pointer(),
    boolean("readOnly"),     map_of(text("options")),
};
constinit const Type kFlexVolumeSource{"FlexVolumeSource", kFlexVolumeSourceFields};

constexpr Field kCinderVolumeSourceFields[] = {
    text("volumeID").always(),
    text("fsType"),
    boolean("readOnly"),
    object("secretRef", kLocalObjectReference).pointer(),
};
constinit const Type kCinderVolumeSource{"CinderVolumeSource", kCinderVolumeSourceFields};

constexpr Field kCephFSVolumeSourceFields[] = {
    list_of(text("monitors")).always(),
    text("path"),
    text("user"),
    text("secretFile"),
    object("secretRef", kLocalObjectReference).pointer(),
    boolean("readOnly"),
};
constinit const Type kCephFSVolumeSource{"CephFSVolumeSource", kCephFSVolumeSourceFields};

constexpr Field kFlockerVolumeSourceFields[] = {
    text("datasetName"),
    text("datasetUUID"),
};
constinit const Type kFlockerVolumeSource{"FlockerVolumeSource", kFlockerVolumeSourceFields};

constexpr Field kAzureFileVolumeSourceFields[] = {
    text("secretName").always(),
    text("shareName").always(),
    boolean("readOnly"),
};
constinit const Type kAzureFileVolumeSource{"AzureFileVolumeSource", kAzureFileVolumeSourceFields};

constexpr Field kVsphereVirtualDiskVolumeSourceFields[] = {
    text("volumePath").always(),
    text("fsType"),
    text("storagePolicyName"),
    text("storagePolicyID"),
};
constinit const Type kVsphereVirtualDiskVolumeSource{"VsphereVirtualDiskVolumeSource",
                                                     kVsphereVirtualDiskVolumeSourceFields};

constexpr Field kQuobyteVolumeSourceFields[] = {
    text("registry").always(),
    text("volume").always(),
    boolean("readOnly"),
    text("user"),
    text("group"),
    text("tenant"),
};
constinit const Type kQuobyteVolumeSource{"QuobyteVolumeSource", kQuobyteVolumeSourceFields};

constexpr Field kAzureDiskVolumeSourceFields[] = {
    text("diskName").always(),
    text("diskURI").always(),
    text("cachingMode").pointer().fallback("ReadWrite"),
    text("fsType").pointer().fallback("ext4"),
    boolean("readOnly").pointer().fallback_truth(false),
    text("kind").pointer().fallback("Shared"),
};
constinit const Type kAzureDiskVolumeSource{"AzureDiskVolumeSource", kAzureDiskVolumeSourceFields};

constexpr Field kPhotonPersistentDiskVolumeSourceFields[] = {
    text("pdID").always(),
    text("fsType"),
};
constinit const Type kPhotonPersistentDiskVolumeSource{"PhotonPersistentDiskVolumeSource",
                                                       kPhotonPersistentDiskVolumeSourceFields};

constexpr Field kPortworxVolumeSourceFields[] = {
    text("volumeID").always(),
    text("fsType"),
    boolean("readOnly"),
};
constinit const Type kPortworxVolumeSource{"PortworxVolumeSource", kPortworxVolumeSourceFields};

constexpr Field kScaleIOVolumeSourceFields[] = {
    text("gateway").always(),
    text("system").always(),
    object("secretRef", kLocalObjectReference).pointer().always(),
    boolean("sslEnabled"),
    text("protectionDomain"),
    text("storagePool"),
    text("storageMode").fallback("ThinProvisioned"),
    text("volumeName"),
    text("fsType").fallback("xfs"),
    boolean("readOnly"),
};
constinit const Type kScaleIOVolumeSource{"ScaleIOVolumeSource", kScaleIOVolumeSourceFields};

constexpr Field kStorageOSVolumeSourceFields[] = {
    text("volumeName"),
    text("volumeNamespace"),
    text("fsType"),
    boolean("readOnly"),
    object("secretRef", kLocalObjectReference).pointer(),
};
constinit const Type kStorageOSVolumeSource{"StorageOSVolumeSource", kStorageOSVolumeSourceFields};

}  // namespace fixpoint::apiserver
