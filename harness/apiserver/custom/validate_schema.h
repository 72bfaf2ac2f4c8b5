#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds what the schema of a custom resource refuses in an object (kube-openapi/pkg/validation/validate, by
/// way of apiextensions-apiserver/pkg/apiserver/validation ValidateCustomResource): all keywords of
/// structural schemas but formats and rules, and the lists that are sets or maps
/// (pkg/apiserver/schema/listtype). Nothing for a null schema.
void check_schema(const document::Value& object, const document::Value& schema, int minor,
                  validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
