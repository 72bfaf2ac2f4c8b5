#include "harness/external/cluster_api/api_answer.h"

#include <utility>

#include "harness/document/json.h"

namespace fixpoint::external {

ApiAnswer failed(const ApiFailure& failure) { return {.status = failure.code, .body = status_of(failure)}; }

webhooks::HttpAnswer http_answer(ApiAnswer answer) {
  webhooks::HttpAnswer out{.status = answer.status,
                           .content_type = answer.content_type,
                           .stream = std::move(answer.stream),
                           .delay = answer.delay};
  if (!out.stream) out.body = document::write_go_json(answer.body) + "\n";
  return out;
}

}  // namespace fixpoint::external
