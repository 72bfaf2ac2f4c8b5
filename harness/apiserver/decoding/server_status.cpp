#include "harness/apiserver/decoding/server_status.h"

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/types/equality.h"
#include "harness/document/joined.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

using cases::Status;
using document::Text;

Status internal_error(const std::string& why) {
  return {.code = 500, .reason = "InternalError", .message = Text("Internal error occurred: {}").with({why})};
}

Status bad_request(const std::string& why) { return {.code = 400, .reason = "BadRequest", .message = why}; }

Status no_answer() { return {.code = 0, .message = "no answer: the API server panics"}; }

bool is_same_object(const document::Value& before, const document::Value& after) {
  return is_pod(before) && is_pod(after) ? semantically_equal(before, after) : before == after;
}

std::string strict_error(const std::vector<std::string>& problems) {
  return Text("strict decoding error: {}").with({document::joined(problems)});
}

}  // namespace fixpoint::apiserver
