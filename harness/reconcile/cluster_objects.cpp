#include "harness/reconcile/cluster_objects.h"

#include "harness/apiserver/defaulting/default_autoscaler.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"

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

std::optional<Refusal> refusal_of(const Objects& objects, const Request& request) {
  const Value &object = request.object, &metadata = object["metadata"];
  const cases::Kind& kind = *cases::built_in_kind("autoscaling", kAutoscaler);
  if (object["kind"].text() != kAutoscaler || object["apiVersion"].text() != kind.api_version())
    return std::nullopt;
  const bool is_update = request.verb == Request::Verb::update;
  const Value* old = objects.find(kAutoscaler, metadata["namespace"].text(), metadata["name"].text());
  if (request.verb == Request::Verb::remove || (is_update && old == nullptr)) return std::nullopt;
  const cases::Request sent{.operation = is_update ? "UPDATE" : "CREATE",
                            .namespace_name = std::string(metadata["namespace"].text()),
                            .object = object,
                            .old_object = is_update ? *old : Value()};
  const apiserver::Strategy& strategy = apiserver::strategy_of(kind);
  const auto received = strategy.receive(sent, kind, apiserver::kNewestMinor);
  if (!received) return Refusal{"BadRequest: " + received.error().message};
  auto answer = strategy.store(sent, kind, received->object, received->old_object, apiserver::kNewestMinor,
                               {.warns = false, .as_sent = &sent});
  if (!answer.status) return std::nullopt;
  return Refusal{answer.status->reason + ": " + answer.status->message, std::move(answer.invalid)};
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

std::string MemoryStore::apply(const Request& request, bool server_defaults) {
  if (validation_ == Validation::as_the_server && server_defaults)
    if (auto refusal = refusal_of(objects_, request)) return std::move(refusal->text);
  return reconcile::apply(objects_, request, server_defaults);
}

}  // namespace fixpoint::reconcile
