#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/joined.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Request;
using cases::Status;
using document::Value;

}  // namespace

void refuse_invalid(Stored& stored) {
  if (stored.invalid.empty()) return;
  std::vector<std::string> said;  // each once, as Go's aggregate prints its errors
  for (const cases::FieldError& error : stored.invalid) {
    std::string one = error.field + ": " + error.message;
    if (std::find(said.begin(), said.end(), one) == said.end()) said.push_back(std::move(one));
  }
  std::string list = document::joined(said);
  if (said.size() > 1) list = "[" + list + "]";
  const std::string name = document::go_quoted(stored.object["metadata"]["name"].text());
  const cases::GroupKind kind = cases::group_kind_of(stored.object);
  std::string kind_name(kind.kind);
  kind_name.append(kind.group.empty() ? "" : ".").append(kind.group);
  stored.status = Status{.code = 422,
                         .reason = "Invalid",
                         .message = document::Text("{} {} is invalid: {}").with({kind_name, name, list})};
}

namespace {

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
  refuse_invalid(stored);
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
  refuse_invalid(stored);
  return stored;
}

}  // namespace

Stored store(const Request& request, const cases::Cluster& cluster, const Value& object,
             const Value& old_object,
             int minor, const StoreOptions& options) {
  const cases::Kind kind = cases::kind_of(request, cluster);
  return strategy_of(request, kind).store(request, kind, object, old_object, minor, options);
}

Stored store_pod(const Request& request, const cases::Kind&, const Value& pod, const Value& old_pod,
                 int minor,
                 const StoreOptions& options) {
  return request.is_update() ? store_update(request, pod, old_pod, minor, options)
                             : store_new(request, pod, minor, options);
}

}  // namespace fixpoint::apiserver
