#pragma once

#include "harness/apiserver/cel/cel_value.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

/// The document that an `Object{...}` is (apiserver/pkg/cel/mutation/dynamic/objects.go ConvertToNative). An
/// error if a type name in it does not match the place of its object, or a key of a map is no text.
document::Result<document::Value> configuration_of(const cel::Datum& object);

/// Returns true if a list of `JSONPatch{...}` has a value that crashes the server while it converts it: a
/// list or a map with an `Object{...}` in it (ObjectVal.ConvertToNative returns another type than the list
/// expects).
bool crashes_server(const cel::Datum& list);

/// The JSON Patch that a list of `JSONPatch{...}` is
/// (apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go). Values are converted as JSON values:
/// integers that a double cannot hold become texts.
document::Result<document::Value> patch_of(const cel::Datum& list);

}  // namespace fixpoint::apiserver::policies
