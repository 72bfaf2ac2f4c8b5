#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds what the schema of a custom resource refuses in an object (kube-openapi/pkg/validation/validate, by
/// way of apiextensions-apiserver/pkg/apiserver/validation ValidateCustomResource): all keywords of
/// structural schemas, formats, and the lists that are sets or maps (pkg/apiserver/schema/listtype), but for
/// rules (rules.h). Of an update, what `old` has as well is forgiven. Nothing for a null schema.
void check_schema(const document::Value& object, const document::Value& old, const document::Value& schema,
                  int minor, validation::Errors& errors);

/// The same of a request to the status, of which the server asks the schema of the status alone. Its texts
/// name the paths within that.
void check_status(const document::Value& object, const document::Value& old, const document::Value& schema,
                  int minor, validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
