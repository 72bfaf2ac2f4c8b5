#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Sources of volumes of older drivers.
extern const Type kGCEPersistentDiskVolumeSource, kAWSElasticBlockStoreVolumeSource, kGitRepoVolumeSource,
    kGlusterfsVolumeSource, kRBDVolumeSource, kFlexVolumeSource, kCinderVolumeSource, kCephFSVolumeSource,
    kFlockerVolumeSource, kAzureFileVolumeSource, kVsphereVirtualDiskVolumeSource, kQuobyteVolumeSource,
    kAzureDiskVolumeSource, kPhotonPersistentDiskVolumeSource, kPortworxVolumeSource, kScaleIOVolumeSource,
    kStorageOSVolumeSource;

}  // namespace fixpoint::apiserver
