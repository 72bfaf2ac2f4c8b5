#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/webhooks/review.h"

/// The input is the body of a webhook's answer to the request "u". Reading it must not crash, an answer with
/// a problem must have no other content, and a JSON body must survive being written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  using namespace fixpoint::webhooks;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const Limits limits{
      .depth_max = 64, .document_bytes_max = 1u << 16, .aliases_max = 100, .values_max = 10'000};
  const Answer answer = read_review(body, "u", limits);
  if (!answer.problem.empty()) {
    document::check(!answer.patch && answer.warnings.empty() && answer.audit_annotations.empty(),
                    "a failed call says nothing else");
    return 0;
  }
  const auto json = document::read_json(body, limits, document::Strictness::foreign);
  if (!json) return 0;
  const Answer again = read_review(document::write_json(*json), "u", limits);
  document::check(again.problem.empty() && again.api_version == answer.api_version &&
                      again.kind == answer.kind && again.has_response == answer.has_response &&
                      again.uid_echoed == answer.uid_echoed && again.allowed == answer.allowed &&
                      again.status == answer.status && again.has_status == answer.has_status &&
                      again.patch == answer.patch && again.patch_type == answer.patch_type &&
                      again.warnings == answer.warnings &&
                      again.audit_annotations == answer.audit_annotations,
                  "what is written anew reads the same");
  return 0;
}
