#pragma once

#include <functional>
#include <optional>
#include <string>
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

/// Returns where a field stands in a file, such as "line 3, column 5"; empty if that is not known.
using WhereFieldIs = std::function<std::string(const std::string& field)>;

/// The reasons why no API server stores the policy or the binding, all of them, in the server's words and
/// each with its place in the file; nothing if one does.
std::optional<document::Error> refusal_of_policy(const document::Value& sent, int minor = kNewestMinor,
                                                 const WhereFieldIs& where = {});

}  // namespace fixpoint::apiserver
