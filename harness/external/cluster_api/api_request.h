#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/webhooks/http_server.h"

namespace fixpoint::external {

/// The text with U+FFFD for each malformed byte, as Go's encoder writes what a client sent.
std::string well_formed(std::string_view text);

/// The parameters of a query, decoded.
class ApiQuery {
 public:
  ApiQuery() = default;
  explicit ApiQuery(std::string_view text);
  /// The first value of that name, or an empty text.
  std::string_view operator[](std::string_view name) const;
  /// Returns true if the parameter is there, unless its value is "false" or "0".
  bool is_true(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> all_ = {};
};

/// The form in which a client takes an answer: `as` of the first JSON in its Accept header.
enum class AnswerForm { plain, partial, table, discovery, none };
/// Returns AnswerForm::none if the client takes no JSON.
AnswerForm form_of(std::string_view accept);

/// The resource that a path names.
struct ApiPath {
  enum class Target {
    unknown,
    root,
    health,
    version,
    core_versions,  ///< /api
    groups,         ///< /apis
    group,          ///< /apis/apps
    resources,      ///< /api/v1, /apis/apps/v1
    openapi_v2,
    openapi_v3,          ///< the index
    openapi_v3_version,  ///< one version of a group
    resource,            ///< objects
  };
  Target target = Target::unknown;
  std::string group = {}, version = {};
  std::string plural = {}, subresource = {};
  std::string namespace_name = {}, name = {};
};
ApiPath read_path(std::string_view path);

/// One request to the API.
struct ApiRequest {
  explicit ApiRequest(const webhooks::HttpRequest& http)
      : method(http.method),
        path(read_path(well_formed(http.path))),
        query(http.query),
        form(form_of(http.accept)),
        content_type(http.content_type),
        body(http.body) {}

  std::string_view method;
  ApiPath path;
  ApiQuery query;
  AnswerForm form;
  std::string_view content_type, body;

  /// get, list, watch, create, …; empty for a method that a resource never has.
  std::string_view verb() const;
};

}  // namespace fixpoint::external
