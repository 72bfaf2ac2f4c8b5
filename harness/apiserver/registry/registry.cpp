#include "harness/apiserver/registry/registry.h"

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/metadata_types.h"

namespace fixpoint::apiserver {

namespace {

using cases::Request;
using cases::Status;
using document::Error;
using document::Result;
using document::Value;

Result<Value> decode_internal(const Value& pod, int minor, const char* pointer) {
  auto decoded = decode_pod(pod, minor);
  if (!decoded) return std::move(decoded).error().within(pointer);
  return through_internal_type(default_pod(*decoded, minor));
}

}  // namespace

std::optional<Status> complete_metadata(std::string_view own_namespace, Value& pod, int minor) {
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
  if (own.empty() && !own_namespace.empty()) pod.edit("metadata").set("namespace", own_namespace);
  if (own.empty() || own == own_namespace) return std::nullopt;
  return Status{
      .code = 400,
      .reason = "BadRequest",
      .message = "the namespace of the provided object does not match the namespace sent on the request"};
}

Result<Received> receive(const Request& request, const cases::Cluster& cluster, int minor) {
  const auto kind = cases::find_kind(request, cluster);
  if (!kind) {
    const Value& object = request.object;
    return Error{"expected an object of a kind that the cluster serves, found " +
                     std::string(object["kind"].text()) + " of " + std::string(object["apiVersion"].text()) +
                     "; put its CustomResourceDefinition into cluster.objects",
                 "/request/object/kind"};
  }
  return strategy_of(request, *kind).receive(request, *kind, minor);
}

Result<Received> receive_pod(const Request& request, const cases::Kind&, int minor) {
  auto pod = decode_internal(request.object, minor, "/request/object");
  if (!pod) return std::move(pod).error();
  Received received{.object = *std::move(pod)};
  if (!request.is_update()) {
    received.status = complete_metadata(request.namespace_name, received.object, minor);
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
