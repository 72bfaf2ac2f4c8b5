#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The fields that strict decoding (fieldValidation=Strict, as kubectl asks for it) rejects, in the server's
/// words and order: `unknown field "webhooks[0].failurePolic"`, `duplicate field "metadata.name"`. Values of
/// a wrong type are decode_as's business, and are not looked into.
std::vector<std::string> strict_problems(const Type& type, const document::Value& sent, int minor);

}  // namespace fixpoint::apiserver
