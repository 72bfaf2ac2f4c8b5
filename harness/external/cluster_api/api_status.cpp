#include "harness/external/cluster_api/api_status.h"

#include <utility>
#include <vector>

namespace fixpoint::external {

namespace {

using document::Member;
using document::Value;

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Returns `secrets "x"`, or the resource alone for a collection.
std::string title_of(const Named& what) {
  const std::string store = what.resource.store();
  return what.name.empty() ? store : store + " " + in_quotes(what.name);
}

Value details_of(const Named& what) {
  Value details = Value::empty_object();
  if (!what.name.empty()) details.set("name", what.name);
  if (!what.resource.group.empty()) details.set("group", what.resource.group);
  details.set("kind", what.resource.plural);
  return details;
}

Value one_cause(Value cause) { return {{"causes", Value::list({std::move(cause)})}}; }

}  // namespace

Value status_of(const ApiFailure& failure) {
  return {{"kind", "Status"},           {"apiVersion", "v1"},         {"metadata", Value::empty_object()},
          {"status", "Failure"},        {"message", failure.message}, {"reason", failure.reason},
          {"details", failure.details}, {"code", failure.code}};
}

ApiFailure not_found(const Named& what) {
  return {.code = 404,
          .reason = "NotFound",
          .message = title_of(what) + " not found",
          .details = details_of(what)};
}

ApiFailure unknown_path() {
  return {.code = 404, .reason = "NotFound", .message = "the server could not find the requested resource"};
}

ApiFailure forbidden(const Named& what, std::string_view user, std::string_view verb) {
  const std::string place = what.namespace_name.empty()
                                ? "at the cluster scope"
                                : "in the namespace " + in_quotes(what.namespace_name);
  return {.code = 403,
          .reason = "Forbidden",
          .message = title_of(what) + " is forbidden: User " + in_quotes(user) + " cannot " +
                     std::string(verb) + " resource " + in_quotes(what.resource.plural) + " in API group " +
                     in_quotes(what.resource.group) + " " + place,
          .details = details_of(what)};
}

ApiFailure already_exists(const Named& what) {
  return {.code = 409,
          .reason = "AlreadyExists",
          .message = title_of(what) + " already exists",
          .details = details_of(what)};
}

ApiFailure conflict(const Named& what) {
  return {.code = 409,
          .reason = "Conflict",
          .message = "Operation cannot be fulfilled on " + title_of(what) +
                     ": the object has been modified; please apply your changes to the latest version and "
                     "try again",
          .details = details_of(what)};
}

ApiFailure bad_request(std::string message) {
  return {.code = 400, .reason = "BadRequest", .message = std::move(message)};
}

ApiFailure invalid_options(const std::string& problem) {
  return {.code = 422,
          .reason = "Invalid",
          .message = "ListOptions.meta.k8s.io \"\" is invalid: " + problem,
          .details = {{"group", "meta.k8s.io"}, {"kind", "ListOptions"}}};
}

ApiFailure method_not_allowed() {
  return {.code = 405,
          .reason = "MethodNotAllowed",
          .message = "the server does not allow this method on the requested resource"};
}

ApiFailure not_acceptable() {
  return {.code = 406,
          .reason = "NotAcceptable",
          .message = "only the following media types are accepted: application/json"};
}

ApiFailure unsupported_media_type() {
  return {.code = 415,
          .reason = "UnsupportedMediaType",
          .message =
              "the body of the request was in an unknown format - accepted media types include: "
              "application/json"};
}

ApiFailure unauthorized() { return {.code = 401, .reason = "Unauthorized", .message = "Unauthorized"}; }

ApiFailure internal_error(const std::string& what) {
  return {.code = 500,
          .reason = "InternalError",
          .message = "Internal error occurred: " + what,
          .details = one_cause({{"message", what}})};
}

ApiFailure timed_out() {
  return {.code = 504,
          .reason = "Timeout",
          .message = "Timeout: request did not complete within the allotted timeout"};
}

ApiFailure expired(std::uint64_t asked, std::uint64_t current) {
  return {
      .code = 410,
      .reason = "Expired",
      .message = "too old resource version: " + std::to_string(asked) + " (" + std::to_string(current) + ")"};
}

ApiFailure too_large_version(std::uint64_t asked, std::uint64_t current) {
  Value details =
      one_cause({{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}});
  details.set("retryAfterSeconds", 1);
  return {.code = 504,
          .reason = "Timeout",
          .message = "Timeout: Too large resource version: " + std::to_string(asked) +
                     ", current: " + std::to_string(current),
          .details = std::move(details)};
}

ApiFailure too_many_writes() {
  return {.code = 429,
          .reason = "TooManyRequests",
          .message = "too many writes to the cluster of one call: the limit is cluster_accesses_max"};
}

ApiFailure too_many_watches() {
  return {.code = 429,
          .reason = "TooManyRequests",
          .message = "Too many requests: more watches than cluster_watches_max are open",
          .details = {{"retryAfterSeconds", 1}}};
}

}  // namespace fixpoint::external
