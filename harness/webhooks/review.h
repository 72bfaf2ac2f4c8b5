#pragma once

#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// The AdmissionRequest of a call without object and oldObject (docs/simulator.md#3-2), as match conditions
/// see it as `request` and as a webhook gets it. `name` is the object's, empty with generateName only.
Value review_request(const cases::Request& request, std::string_view name, std::string_view uid);

/// The AdmissionReview that the API server sends, on one line.
std::string write_review(const Call& call, std::string_view uid);

/// A uid that no other call of this process has had; the API server draws one for every call, too.
std::string fresh_uid();

/// Decodes a body that came back for the request `uid` as the API server does (docs/simulator.md#3-5):
/// unknown fields are ignored, a wrong type is a calling failure. A body is JSON, or YAML when it begins with
/// anything but `{`. The dispatcher decides what the answer means.
Answer read_review(std::string_view body, std::string_view uid, const Limits& limits);

/// Whether an answer has a patch in the server's eyes: one of no bytes does not count.
bool has_patch(const Answer& answer);

}  // namespace fixpoint::webhooks
