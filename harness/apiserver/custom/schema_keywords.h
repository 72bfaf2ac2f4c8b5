#pragma once

#include "harness/apiserver/validation/errors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Adds the keywords of a schema that no definition may have, and those that contradict one another
/// (apiextensions-apiserver/pkg/apis/apiextensions/validation ValidateCustomResourceDefinitionOpenAPISchema).
void check_keywords(const document::Value& schema, const validation::Path& path, validation::Errors& errors);

/// Adds what is wrong with the expressions of the rules of a right schema: what does not compile, and
/// `oldSelf` where the server cannot find the old value. Their estimated costs are not asked (docs/trust.md).
void check_expressions(const document::Value& schema, const validation::Path& path, int minor,
                       validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
