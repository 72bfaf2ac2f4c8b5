#include "harness/reconcile/cluster_objects.h"

#include "harness/apiserver/defaulting/default_autoscaler.h"

namespace fixpoint::reconcile {

namespace {

constexpr std::string_view kAutoscaler = "HorizontalPodAutoscaler";

Value* find_stored(Objects& objects, const Value& object) {
  const Value& metadata = object["metadata"];
  return const_cast<Value*>(
      objects.find(object["kind"].text(), metadata["namespace"].text(), metadata["name"].text()));
}
void erase(Objects& objects, const Value* object) {
  objects.all.erase(objects.all.begin() + (object - objects.all.data()));
}

Value stored(Value object, bool server_defaults) {
  const bool has_defaults = server_defaults && object["kind"].text() == kAutoscaler;
  return has_defaults ? apiserver::default_autoscaler(std::move(object)) : object;
}

}  // namespace

const Value* Objects::find(std::string_view kind, std::string_view namespace_name,
                           std::string_view name) const {
  for (const Value& object : all) {
    const Value& metadata = object["metadata"];
    if (metadata["name"].text() == name && object["kind"].text() == kind &&
        metadata["namespace"].text() == namespace_name) {
      return &object;
    }
  }
  return nullptr;
}

std::string_view word(Request::Verb verb) {
  switch (verb) {
    case Request::Verb::create:
      return "create";
    case Request::Verb::update:
      return "update";
    case Request::Verb::remove:
      return "delete";
  }
  return "ask for";
}

std::string apply(Objects& objects, const Request& request, bool server_defaults) {
  Value* existing = find_stored(objects, request.object);
  if (request.verb == Request::Verb::create) {
    if (existing != nullptr) return "AlreadyExists";
    if (!request.dry_run) objects.all.push_back(stored(request.object, server_defaults));
    return "";
  }
  if (existing == nullptr) return "NotFound";
  if (request.dry_run) return "";
  const Value deleted = (*existing)["metadata"]["deletionTimestamp"];
  if (request.verb == Request::Verb::remove) {
    if ((*existing)["metadata"]["finalizers"].empty()) {
      erase(objects, existing);
    } else if (deleted.is_null()) {
      existing->edit("metadata").set("deletionTimestamp", kDeleted);
    }
    return "";
  }
  Value changed = stored(request.object, server_defaults);
  if (!deleted.is_null()) {
    if (changed["metadata"]["finalizers"].empty()) {
      erase(objects, existing);
      return "";
    }
    changed.edit("metadata").set("deletionTimestamp", deleted);
  }
  *existing = std::move(changed);
  return "";
}

}  // namespace fixpoint::reconcile
