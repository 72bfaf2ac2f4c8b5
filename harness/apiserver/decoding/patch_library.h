#pragma once

#include "harness/document/patch.h"

namespace fixpoint::apiserver {

/// The release of the JSON Patch library that the servers of a minor are built with: up to 1.34 it was 4.12.
inline document::PatchLibrary patch_library(int minor) {
  return minor <= 34 ? document::PatchLibrary::before_4_13 : document::PatchLibrary::newest;
}

}  // namespace fixpoint::apiserver
