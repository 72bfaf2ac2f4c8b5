#include "harness/apiserver/registry/registry.h"

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/normalise.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/metadata_types.h"

namespace fixpoint::apiserver {

namespace {

using cases::Request;
using cases::Status;
using document::Result;
using document::Value;

Result<Value> decode_internal(const Value& pod, int minor, const char* pointer) {
  auto decoded = decode_pod(pod, minor);
  if (!decoded) return std::move(decoded).error().within(pointer);
  return normalise_pod(default_pod(*decoded, minor));
}

/// WipeObjectMetaSystemFields and EnsureObjectNamespaceMatchesRequestNamespace.
std::optional<Status> complete(const Request& request, Value& pod, int minor) {
  for (const char* field :
       {"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "uid", "selfLink"}) {
    if (pod["metadata"][field].is_null()) continue;
    // Older minors write an unset time.
    const Field* known = find_field(kObjectMeta, field, minor);
    if (known != nullptr && known->is_always) {
      pod.edit("metadata").set(field, Value());
    } else {
      pod.edit("metadata").remove(field);
    }
  }
  const std::string own(pod["metadata"]["namespace"].text());
  if (own.empty()) pod.edit("metadata").set("namespace", request.namespace_name);
  if (own.empty() || own == request.namespace_name) return std::nullopt;
  return Status{
      .code = 400,
      .reason = "BadRequest",
      .message = "the namespace of the provided object does not match the namespace sent on the request"};
}

}  // namespace

Result<Received> receive(const Request& request, int minor) {
  auto pod = decode_internal(request.object, minor, "/request/object");
  if (!pod) return std::move(pod).error();
  Received received{.object = *std::move(pod)};
  if (!request.is_update()) {
    received.status = complete(request, received.object, minor);
    return received;
  }
  auto old = decode_internal(request.old_object, minor, "/request/oldObject");
  if (!old) return std::move(old).error();
  received.old_object = *std::move(old);
  for (Value* object : {&received.object, &received.old_object}) {
    if (!(*object)["metadata"]["namespace"].text().empty()) continue;
    object->edit("metadata").set("namespace", request.namespace_name);
  }
  return received;
}

}  // namespace fixpoint::apiserver
