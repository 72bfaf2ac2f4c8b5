#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

// Objects within an object that are resources with metadata of their own (x-kubernetes-embedded-resource).
namespace fixpoint::apiserver::custom {

/// Reads the metadata of each embedded resource strictly and writes them back
/// (apiextensions-apiserver/pkg/apiserver/schema/objectmeta Coerce).
document::Result<document::Value> with_embedded_metadata(document::Value object,
                                                         const document::Value& schema, int minor);

/// Adds what embedded resources lack (schema/objectmeta/validation.go Validate).
void check_embedded_resources(const document::Value& object, const document::Value& schema,
                              validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
