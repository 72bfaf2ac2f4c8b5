#pragma once

#include <string_view>

#include "harness/apiserver/configuration.h"

namespace fixpoint::apiserver {

/// The AdmissionRequest of a call without object and oldObject (spec §3.2): what match conditions see as
/// `request`, and what a webhook is sent.
Value review_request(const ConfiguredWebhook& webhook, const cases::Request& request, const Value& object,
                     std::string_view uid);

}  // namespace fixpoint::apiserver
