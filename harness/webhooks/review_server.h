#pragma once

#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

// The other end of webhooks/review: what a webhook does with an AdmissionReview that it is sent.

/// What an AdmissionReview asks.
struct Review {
  std::string version = {};  ///< "v1" or "v1beta1"
  std::string uid = {};
  std::string name = {};
  cases::Request request = {};
};

/// Reads an AdmissionReview request; an error for what is none, or of another version.
document::Result<Review> read_request(std::string_view body, const Limits& limits);

/// The AdmissionReview with an answer, on one line. What the answer says against the protocol is written
/// down as well: an answer that echoes no uid has the uid "another", a patch that is a string is its bytes.
/// Nothing when the answer is that there is none (Answer::problem).
std::optional<std::string> write_answer(const Review& review, const Answer& answer);

}  // namespace fixpoint::webhooks
