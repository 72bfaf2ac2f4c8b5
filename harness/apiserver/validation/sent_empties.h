#pragma once

#include <vector>

#include "harness/apiserver/validation/validate.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// Drops the errors about amounts of huge pages that are wrong only in their canonical form: 1000E has none,
/// and becomes 1. `spec` is that of the Pod as it was sent.
void forgive_written_amounts(std::vector<FieldError>& errors, const document::Value& spec);

/// Shows the explicit empty lists and maps of a Pod in the values that errors print: Go prints them as [] and
/// {}, and absent ones as null. `sent` is the Pod as it was sent; decoding drops them here.
void show_sent_empties(std::vector<FieldError>& errors, const document::Value& sent);

}  // namespace fixpoint::apiserver::validation
