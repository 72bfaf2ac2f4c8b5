#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/document/check.h"
#include "harness/webhooks/review.h"
#include "harness/webhooks/review_server.h"

/// The input is the body of a request to `serve`. Reading it must not crash, and an AdmissionReview gets an
/// answer that a client can read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  using namespace fixpoint::webhooks;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const Limits limits{
      .depth_max = 64, .document_bytes_max = 1u << 16, .aliases_max = 100, .values_max = 10'000};
  const auto review = read_request(body, limits);
  if (!review) return 0;
  const auto answer = write_answer(*review, allow(Value::list({review->request.object})));
  document::check(answer.has_value(), "an answer is written");
  const Answer read = read_review(*answer, review->uid, {});
  document::check(read.problem.empty() && read.allowed && read.uid_echoed && read.patch.has_value(),
                  "a client reads it");
  return 0;
}
