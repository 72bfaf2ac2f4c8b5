#pragma once

#include <optional>
#include <vector>

#include "harness/cases/minors.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Validates a new CustomResourceDefinition (v1) as the API server does before it stores one
/// (apiextensions-apiserver/pkg/apis/apiextensions/validation ValidateCustomResourceDefinition), but for the
/// estimated costs of rules, selectable fields and the certificates of a conversion. An error for a
/// definition that does not decode.
document::Result<std::vector<cases::FieldError>> validate_definition(const document::Value& definition,
                                                                     int minor);

/// The reason why no API server stores the definition, in the server's words; nothing if one does.
std::optional<document::Error> refusal_of_definition(const document::Value& definition,
                                                     int minor = cases::kNewestMinor);

}  // namespace fixpoint::apiserver::custom
