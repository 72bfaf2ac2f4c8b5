#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// Sources of volumes in common use, and projections.
extern const Type kHostPathVolumeSource, kEmptyDirVolumeSource, kSecretVolumeSource, kConfigMapVolumeSource,
    kNFSVolumeSource, kISCSIVolumeSource, kPersistentVolumeClaimVolumeSource, kObjectFieldSelector,
    kResourceFieldSelector, kDownwardAPIVolumeSource, kFCVolumeSource, kCSIVolumeSource, kImageVolumeSource,
    kProjectedVolumeSource;

}  // namespace fixpoint::apiserver
