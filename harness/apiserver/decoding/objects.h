#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/cases/kind.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Decodes the patched object: a Pod as decode_pod does; an object of another kind that the server knows
/// keeps what is not known here (docs/simulator.md#3-6). An error for anything that the server cannot decode.
document::Result<document::Value> decode_object(const document::Value& patched, int minor);
/// The same where the object was of another kind of the tables.
document::Result<document::Value> decode_object_of(const cases::Kind& kind, const Type& type,
                                                   const document::Value& patched, int minor);

/// Returns true if a decoded object is still a Pod.
bool is_pod(const document::Value& object);

/// Returns true for an object of a kind with metadata of its own, which lists, options and a Status do not
/// have (k8s.io/apimachinery/pkg/api/meta Accessor).
bool has_object_metadata(const document::Value& object);

}  // namespace fixpoint::apiserver
