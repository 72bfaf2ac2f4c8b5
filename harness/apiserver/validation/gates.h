#pragma once

namespace fixpoint::apiserver::gate {

// The minor in which a feature that affects Pods became on by default; before it, the registry drops its
// fields or another rule holds.
inline constexpr int kAppArmorFields = 30;
inline constexpr int kAppArmorAnnotationsLast = 33;  ///< after it, fields are not copied to annotations
inline constexpr int kLifecycleSleep = 30;
inline constexpr int kTokenPaths = 30;  ///< before, a token's path was not checked
inline constexpr int kFlatResourceClaims = 31;
inline constexpr int kMatchLabelKeysInPodAffinity = 31;
inline constexpr int kRecursiveReadOnlyMounts = 31;
inline constexpr int kRelaxedEnvNames = 32;
inline constexpr int kQosOnlyOnResize = 32;  ///< before, every update checked the QoS class
inline constexpr int kImageSource = 32;      ///< counts as a volume's source, if a stored Pod has it
inline constexpr int kInPlaceResize = 33;
inline constexpr int kSleepOfZero = 33;
inline constexpr int kProcMount = 33;
inline constexpr int kRelaxedDnsSearch = 33;
inline constexpr int kSelinuxChangePolicy = 33;
inline constexpr int kSupplementalGroupsPolicy = 33;
inline constexpr int kUserNamespaces = 33;
inline constexpr int kNodeAffinityValues = 33;
inline constexpr int kServersGeneration = 33;
inline constexpr int kNewMetadataOfEphemeral = 33;  ///< before, ephemeralcontainers kept the old metadata
inline constexpr int kDynamicResources = 34;
inline constexpr int kPodLevelResources = 34;
inline constexpr int kSpreadSelectorMerge = 34;
inline constexpr int kRestartPolicyOfContainers = 34;  ///< a field of regular containers; before, forbidden
inline constexpr int kStaticPodReferences = 32;
inline constexpr int kUserNamespaceDevices = 34;
inline constexpr int kMemoryLimitMayShrink = 34;
inline constexpr int kContainerRestartRules = 35;
inline constexpr int kEnvFiles = 35;
inline constexpr int kHostnameOverride = 35;
inline constexpr int kImageVolumes = 35;
inline constexpr int kUserNamespaceHostNetworkKept = 35;
inline constexpr int kComparingTolerations = 35;  ///< before, those of a stored Pod were not allowed either
inline constexpr int kCsiDriverRequiredAlone = 35;
inline constexpr int kResizeOfNewResources = 35;
inline constexpr int kPodLevelRefusalLast =
    35;  ///< before, an error about pod-level resources was the only one of a resize
inline constexpr int kStrictIps = 36;
inline constexpr int kPodLevelResize = 36;
inline constexpr int kInitContainerResize = 36;
inline constexpr int kRestartAllContainers = 36, kRestartAllContainersKnown = 35;
inline constexpr int kNoRestartContainerForInit = 36;
inline constexpr int kNever = 99;  ///< off in all minors

}  // namespace fixpoint::apiserver::gate
