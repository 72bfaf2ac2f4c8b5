#include "harness/apiserver/plugins/plugin.h"

namespace fixpoint::apiserver::plugins {

using cases::Status;
using document::Value;

Refusal forbid(const Value& pod, const std::string& why) {
  std::string message = "pods \"";
  message.append(pod["metadata"]["name"].text()).append("\" is forbidden: ").append(why);
  return Status{.code = 403, .reason = "Forbidden", .message = std::move(message)};
}

Refusal fail(const std::string& why) { return Status{.code = 500, .reason = "", .message = why}; }

}  // namespace fixpoint::apiserver::plugins
