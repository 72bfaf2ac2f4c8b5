#include "harness/apiserver/plugins/plugin.h"

#include "harness/cases/request_user.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

using cases::Status;
using document::Value;

Refusal forbid(const cases::Request& request, const Value& object, const std::string& why,
               std::string_view resource) {
  std::string_view said = cases::name_of(request);
  for (const char* member : {"name", "generateName"})
    if (said.empty()) said = object["metadata"][member].text();
  const std::string name = document::go_quoted(said.empty() ? "Unknown" : said);
  return Status{.code = 403,
                .reason = "Forbidden",
                .message = document::Text("{} {} is forbidden: {}").with({resource, name, why})};
}

Refusal fail(const std::string& why) { return Status{.code = 500, .reason = "", .message = why}; }

}  // namespace fixpoint::apiserver::plugins
