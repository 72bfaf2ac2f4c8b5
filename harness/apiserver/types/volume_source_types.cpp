#include "harness/apiserver/types/volume_source_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kHostPathVolumeSourceFields[] = {
    text("path").always(),
    text("type").pointer().fallback(""),
};
constinit const Type kHostPathVolumeSource{"HostPathVolumeSource", kHostPathVolumeSourceFields};

constexpr Field kEmptyDirVolumeSourceFields[] = {
    text("medium"),
    quantity("sizeLimit").pointer(),
};
constinit const Type kEmptyDirVolumeSource{"EmptyDirVolumeSource", kEmptyDirVolumeSourceFields};

constexpr Field kKeyToPathFields[] = {
    text("key").always(),
    text("path").always(),
    int32("mode").pointer(),
};
static constinit const Type kKeyToPath{"KeyToPath", kKeyToPathFields};

constexpr Field kSecretVolumeSourceFields[] = {
    text("secretName"),
    objects("items", kKeyToPath),
    int32("defaultMode").pointer().fallback_number("420"),
    boolean("optional").pointer(),
};
constinit const Type kSecretVolumeSource{"SecretVolumeSource", kSecretVolumeSourceFields};

constexpr Field kConfigMapVolumeSourceFields[] = {
    text("name"),
    objects("items", kKeyToPath),
    int32("defaultMode").pointer().fallback_number("420"),
    boolean("optional").pointer(),
};
constinit const Type kConfigMapVolumeSource{"ConfigMapVolumeSource", kConfigMapVolumeSourceFields};

constexpr Field kNFSVolumeSourceFields[] = {
    text("server").always(),
    text("path").always(),
    boolean("readOnly"),
};
constinit const Type kNFSVolumeSource{"NFSVolumeSource", kNFSVolumeSourceFields};

constexpr Field kISCSIVolumeSourceFields[] = {
    text("targetPortal").always(),
    text("iqn").always(),
    int32("lun").always(),
    text("iscsiInterface").fallback("default"),
    text("fsType"),
    boolean("readOnly"),
    list_of(text("portals")),
    boolean("chapAuthDiscovery"),
    boolean("chapAuthSession"),
    object("secretRef", kLocalObjectReference).pointer(),
    text("initiatorName").pointer(),
};
constinit const Type kISCSIVolumeSource{"ISCSIVolumeSource", kISCSIVolumeSourceFields};

constexpr Field kPersistentVolumeClaimVolumeSourceFields[] = {
    text("claimName").always(),
    boolean("readOnly"),
};
constinit const Type kPersistentVolumeClaimVolumeSource{"PersistentVolumeClaimVolumeSource",
                                                        kPersistentVolumeClaimVolumeSourceFields};

constexpr Field kObjectFieldSelectorFields[] = {
    text("apiVersion").fallback("v1"),
    text("fieldPath").always(),
};
constinit const Type kObjectFieldSelector{"ObjectFieldSelector", kObjectFieldSelectorFields};

constexpr Field kResourceFieldSelectorFields[] = {
    text("containerName"),
    text("resource").always(),
    quantity("divisor"),
};
constinit const Type kResourceFieldSelector{"ResourceFieldSelector", kResourceFieldSelectorFields};

constexpr Field kDownwardAPIVolumeFileFields[] = {
    text("path").always(),
    object("fieldRef", kObjectFieldSelector).pointer(),
    object("resourceFieldRef", kResourceFieldSelector).pointer(),
    int32("mode").pointer(),
};
static constinit const Type kDownwardAPIVolumeFile{"DownwardAPIVolumeFile", kDownwardAPIVolumeFileFields};

constexpr Field kDownwardAPIVolumeSourceFields[] = {
    objects("items", kDownwardAPIVolumeFile),
    int32("defaultMode").pointer().fallback_number("420"),
};
constinit const Type kDownwardAPIVolumeSource{"DownwardAPIVolumeSource", kDownwardAPIVolumeSourceFields};

constexpr Field kFCVolumeSourceFields[] = {
    list_of(text("targetWWNs")), int32("lun").pointer(), text("fsType"),
    boolean("readOnly"),         list_of(text("wwids")),
};
constinit const Type kFCVolumeSource{"FCVolumeSource", kFCVolumeSourceFields};

constexpr Field kCSIVolumeSourceFields[] = {
    text("driver").always(),
    boolean("readOnly").pointer(),
    text("fsType").pointer(),
    map_of(text("volumeAttributes")),
    object("nodePublishSecretRef", kLocalObjectReference).pointer(),
};
constinit const Type kCSIVolumeSource{"CSIVolumeSource", kCSIVolumeSourceFields};

constexpr Field kImageVolumeSourceFields[] = {
    text("reference"),
    text("pullPolicy").fallback_by(Default::pull_policy, "reference", 35),
};
constinit const Type kImageVolumeSource{"ImageVolumeSource", kImageVolumeSourceFields};

constexpr Field kSecretProjectionFields[] = {
    text("name"),
    objects("items", kKeyToPath),
    boolean("optional").pointer(),
};
static constinit const Type kSecretProjection{"SecretProjection", kSecretProjectionFields};

constexpr Field kDownwardAPIProjectionFields[] = {
    objects("items", kDownwardAPIVolumeFile),
};
static constinit const Type kDownwardAPIProjection{"DownwardAPIProjection", kDownwardAPIProjectionFields};

constexpr Field kConfigMapProjectionFields[] = {
    text("name"),
    objects("items", kKeyToPath),
    boolean("optional").pointer(),
};
static constinit const Type kConfigMapProjection{"ConfigMapProjection", kConfigMapProjectionFields};

constexpr Field kServiceAccountTokenProjectionFields[] = {
    text("audience"),
    int64("expirationSeconds").pointer().fallback_number("3600"),
    text("path").always(),
};
static constinit const Type kServiceAccountTokenProjection{"ServiceAccountTokenProjection",
                                                           kServiceAccountTokenProjectionFields};

constexpr Field kClusterTrustBundleProjectionFields[] = {
    text("name").pointer(),
    text("signerName").pointer(),
    object("labelSelector", kLabelSelector).pointer(),
    boolean("optional").pointer(),
    text("path").always(),
};
static constinit const Type kClusterTrustBundleProjection{"ClusterTrustBundleProjection",
                                                          kClusterTrustBundleProjectionFields};

constexpr Field kPodCertificateProjectionFields[] = {
    text("signerName"),
    text("keyType"),
    int32("maxExpirationSeconds").pointer(),
    text("credentialBundlePath"),
    text("keyPath"),
    text("certificateChainPath"),
    map_of(text("userAnnotations")).from(35),
};
static constinit const Type kPodCertificateProjection{"PodCertificateProjection",
                                                      kPodCertificateProjectionFields};

constexpr Field kVolumeProjectionFields[] = {
    object("secret", kSecretProjection).pointer(),
    object("downwardAPI", kDownwardAPIProjection).pointer(),
    object("configMap", kConfigMapProjection).pointer(),
    object("serviceAccountToken", kServiceAccountTokenProjection).pointer(),
    object("clusterTrustBundle", kClusterTrustBundleProjection).pointer().from(29),
    object("podCertificate", kPodCertificateProjection).pointer().from(34),
};
static constinit const Type kVolumeProjection{"VolumeProjection", kVolumeProjectionFields};

constexpr Field kProjectedVolumeSourceFields[] = {
    objects("sources", kVolumeProjection).always(),
    int32("defaultMode").pointer().fallback_number("420"),
};
constinit const Type kProjectedVolumeSource{"ProjectedVolumeSource", kProjectedVolumeSourceFields};

}  // namespace fixpoint::apiserver
