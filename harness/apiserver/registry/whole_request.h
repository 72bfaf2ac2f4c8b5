#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

// The way of a Pod that a request sends through the API server, with no webhook and no plugin, up to one of
// its steps. An error if the object is no Pod. These are kinds of recorded vectors.

/// Decodes, and fills in apiVersion and kind (the kind `decode`).
document::Result<document::Value> received_pod(const document::Value& in, int minor = kNewestMinor);

/// Decodes and defaults (the kind `default`).
document::Result<document::Value> defaulted_pod(const document::Value& in, int minor = kNewestMinor);

/// Decodes, defaults, prepares, validates (the kind `validate`). `operation` is create, update,
/// ephemeralcontainers or resize; create ignores `old`. An error, too, if the operation cannot be done.
document::Result<std::vector<cases::FieldError>> errors_of_request(std::string_view operation,
                                                                   const document::Value& pod,
                                                                   const document::Value& old,
                                                                   int minor = kNewestMinor);

/// Decodes, defaults, prepares, and sorts all warnings together (the kind `warn`).
document::Result<std::vector<std::string>> warnings_of_request(const document::Value& pod,
                                                               int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
