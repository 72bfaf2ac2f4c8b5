#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/cases/outcome.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Validates a new configuration of mutating or validating webhooks as the API server does before it stores
/// one (ValidateMutatingWebhookConfiguration in pkg/apis/admissionregistration/validation), after strict
/// decoding. An error for what does not decode. Match conditions that the simulator does not support pass.
document::Result<std::vector<cases::FieldError>> validate_configuration(const document::Value& sent,
                                                                        int minor = kNewestMinor);

/// The reason why no API server stores the configuration, in the server's words; nothing if one does. A
/// webhook may lack its clientConfig, since fixpoint takes the backend from elsewhere.
std::optional<document::Error> refusal_of_configuration(const document::Value& sent,
                                                        int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
