#pragma once

#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

// The webhook's side of review.h: reads an AdmissionReview and writes the answer.

/// The content of an AdmissionReview request.
struct Review {
  std::string version = {};  ///< "v1" or "v1beta1"
  std::string uid = {};
  std::string name = {};
  cases::Request request = {};
};

/// Reads an AdmissionReview request; returns an error for any other document or version.
document::Result<Review> read_request(std::string_view body, const Limits& limits);

/// Returns the AdmissionReview with an answer, on one line. Violations of the protocol are written, too: an
/// answer that does not echo the uid has the uid "another", and a patch that is a string is written as its
/// bytes. Returns nothing for an answer with a problem (Answer::problem).
std::optional<std::string> write_answer(const Review& review, const Answer& answer);

}  // namespace fixpoint::webhooks
