#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Request;
using cases::Status;
using document::Value;

Status bad_request(const std::string& message) {
  return {.code = 400, .reason = "BadRequest", .message = message};
}

void judge(Stored& stored) {
  if (stored.invalid.empty()) return;
  std::vector<std::string> said;  // each once, as Go's aggregate prints its errors
  for (const cases::FieldError& error : stored.invalid) {
    std::string one = error.field + ": " + error.message;
    if (std::find(said.begin(), said.end(), one) == said.end()) said.push_back(std::move(one));
  }
  std::string list;
  for (const std::string& one : said) list.append(list.empty() ? "" : ", ").append(one);
  if (said.size() > 1) list = "[" + list + "]";
  const std::string name = document::go_quoted(stored.object["metadata"]["name"].text());
  stored.status = Status{.code = 422,
                         .reason = "Invalid",
                         .message = document::Text("Pod {} is invalid: {}").with({name, list})};
}

std::vector<cases::FieldError> with_explicit_empties(std::vector<cases::FieldError> errors,
                                                     const StoreOptions& options,
                                                     std::string_view subresource, int minor) {
  if (options.as_sent == nullptr) return errors;
  return apiserver::with_explicit_empties(std::move(errors), options.as_sent->object,
                                          options.as_sent->old_object, subresource, minor);
}

Stored store_new(const Request& request, const Value& pod, int minor, const StoreOptions& options) {
  auto prepared = prepare_for_create(pod, request.namespace_name, minor);
  if (!prepared) return {.status = bad_request(prepared.error().message)};
  Stored stored{.object = prepared->pod,
                .invalid = with_explicit_empties(validate_create(prepared->pod, minor, options.passed),
                                                 options, "", minor)};
  stored.warnings = std::move(prepared->warnings);
  const Value sent = options.as_sent == nullptr ? Value() : options.as_sent->object;
  if (options.warns && stored.invalid.empty()) {
    for (std::string& warning : creation_warnings(prepared->pod, minor, sent))
      stored.warnings.push_back(std::move(warning));
  }
  judge(stored);
  return stored;
}

Stored store_update(const Request& request, const Value& pod, const Value& old_pod, int minor,
                    const StoreOptions& options) {
  auto prepared = prepare_for_update(pod, old_pod, request.sub_resource, minor);
  if (!prepared) return {.status = bad_request(prepared.error().message)};
  Stored stored{.object = *prepared};
  auto invalid = validate_stored(*prepared, old_pod, request.sub_resource, minor);
  if (!invalid) return {.status = bad_request(invalid.error().message)};
  stored.invalid = with_explicit_empties(*std::move(invalid), options, request.sub_resource, minor);
  judge(stored);
  return stored;
}

}  // namespace

Stored store(const Request& request, const Value& pod, const Value& old_pod, int minor,
             const StoreOptions& options) {
  return request.is_update() ? store_update(request, pod, old_pod, minor, options)
                             : store_new(request, pod, minor, options);
}

}  // namespace fixpoint::apiserver
