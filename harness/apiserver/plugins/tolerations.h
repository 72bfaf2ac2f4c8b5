#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::plugins {

// pkg/util/tolerations. All tolerations are as the server decodes them: without empty members.

/// Returns true if `wide` tolerates everything that `narrow` does (isSuperset).
bool covers(const document::Value& wide, const document::Value& narrow);

/// Both lists, without what another one covers (MergeTolerations).
document::Value merge_tolerations(const document::Value& first, const document::Value& second);

/// The tolerations of an object or a file as the server decodes them.
document::Value decoded_tolerations(const document::Value& sent);

}  // namespace fixpoint::apiserver::plugins
