#pragma once

#include <string>
#include <vector>

#include "harness/cases/outcome.h"
#include "harness/document/value.h"

// Statuses that webhooks and policies share when the server judges what they made of an object.
namespace fixpoint::apiserver {

/// The answer to a client for an internal error.
cases::Status internal_error(const std::string& why);

/// The answer to a client whose request the registry does not take.
cases::Status bad_request(const std::string& why);

/// The Outcome of a request on which the server panics: the stream to the client is reset.
cases::Status no_answer();

/// Compares two decoded objects by the API machinery's semantic equality. Objects that are no Pods have no
/// rules of equality here.
bool is_same_object(const document::Value& before, const document::Value& after);

/// The error of strict decoding that lists the problems (strict_fields.h).
std::string strict_error(const std::vector<std::string>& problems);

}  // namespace fixpoint::apiserver
