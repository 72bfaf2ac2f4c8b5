#include "harness/apiserver/plugins/plugin.h"

#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

using cases::Status;
using document::Value;

Refusal forbid(const Value& pod, const std::string& why) {
  const std::string name = document::go_quoted(pod["metadata"]["name"].text());
  return Status{.code = 403,
                .reason = "Forbidden",
                .message = document::Text("pods {} is forbidden: {}").with({name, why})};
}

}  // namespace fixpoint::apiserver::plugins
