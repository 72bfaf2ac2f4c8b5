#pragma once

#include "harness/apiserver/policies/typed_walk.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

/// Merges an apply configuration into an object as the server does for policies
/// (apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go ApplyStructuredMergeDiff): the
/// configuration is checked against the published schema, may not mention what is atomic, and is merged by
/// the keys of lists. `root` is the place of the object. Returns the merged document, not decoded yet; an
/// error in the server's words.
document::Result<document::Value> merge_configuration(const document::Value& object,
                                                      const document::Value& configuration,
                                                      const Place& root, int minor);

}  // namespace fixpoint::apiserver::policies
