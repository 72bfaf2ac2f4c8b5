#include "harness/apiserver/plugins/plugin.h"

#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

using cases::Status;
using document::Value;

Refusal forbid(const Value& pod, const std::string& why) {
  const Value& metadata = pod["metadata"];
  // extractResourceName in k8s.io/apiserver/pkg/admission/errors.go
  std::string_view said = metadata["name"].text();
  if (said.empty()) said = metadata["generateName"].text();
  const std::string name = document::go_quoted(said.empty() ? "Unknown" : said);
  return Status{.code = 403,
                .reason = "Forbidden",
                .message = document::Text("pods {} is forbidden: {}").with({name, why})};
}

Refusal fail(const std::string& why) { return Status{.code = 500, .reason = "", .message = why}; }

}  // namespace fixpoint::apiserver::plugins
