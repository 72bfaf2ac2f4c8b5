#pragma once

#include <chrono>
#include <memory>

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_status.h"
#include "harness/webhooks/http_server.h"

namespace fixpoint::external {

/// An answer of the API before it is written as text: a document, or a stream.
struct ApiAnswer {
  int status = 200;
  document::Value body = {};
  const char* content_type = "application/json";
  std::shared_ptr<webhooks::HttpStream> stream = {};
  std::chrono::milliseconds delay = {};
};

/// The answer that reports a failure.
ApiAnswer failed(const ApiFailure& failure);
/// Writes the answer as text.
webhooks::HttpAnswer http_answer(ApiAnswer answer);

}  // namespace fixpoint::external
