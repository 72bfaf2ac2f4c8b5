#pragma once

#include <optional>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Validates a new MutatingAdmissionPolicy or a binding of one as the API server does before it stores it
/// (pkg/apis/admissionregistration/validation ValidateMutatingAdmissionPolicy and …Binding), after strict
/// decoding and defaulting. An error for what does not decode.
document::Result<std::vector<cases::FieldError>> validate_policy(const document::Value& sent,
                                                                 int minor = kNewestMinor);

/// The reasons why no API server stores the policy or the binding, all of them, in the server's words;
/// nothing if one does.
std::optional<document::Error> refusal_of_policy(const document::Value& sent, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
