#pragma once

#include <string>
#include <string_view>

#include "harness/cases/kind.h"
#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// Returns the AdmissionRequest of a call without object and oldObject (docs/simulator.md#3-2): `request`
/// in match conditions, and part of the review that a webhook receives. `name` is the object's name; it is
/// empty if the object has only generateName. `shown` is the kind in the version in which the webhook or
/// policy gets the object, which is another one than the request's with matchPolicy Equivalent.
Value review_request(const cases::Request& request, const cases::Kind& kind, const cases::Kind& shown,
                     std::string_view name, std::string_view uid);

/// Returns the AdmissionReview that the API server sends, on one line.
std::string write_review(const Call& call, std::string_view uid);

/// Reads the userInfo of a review leniently: what has another type counts as absent.
cases::UserInfo read_user(const Value& source);

/// Returns a uid that is unique in this process; the API server also generates one for each call.
std::string fresh_uid();

/// Decodes the response body for the request `uid` as the API server does (docs/simulator.md#3-5): unknown
/// fields are ignored, a wrong type is a calling failure. A body is JSON, or YAML if it does not begin with
/// `{`. The dispatcher interprets the answer.
Answer read_review(std::string_view body, std::string_view uid, const Limits& limits);

/// Returns true if the server sees a patch in the answer; an empty string is not a patch.
bool has_patch(const Answer& answer);

}  // namespace fixpoint::webhooks
