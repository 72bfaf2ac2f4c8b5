#include "harness/apiserver/course.h"

#include <algorithm>

#include "harness/apiserver/defaulting/default_autoscaler.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using cases::Sequence;
using webhooks::Objects;
using webhooks::Reconciler;
using webhooks::Request;

constexpr std::string_view kAutoscaler = "HorizontalPodAutoscaler";
constexpr std::string_view kDeleted = "2026-01-01T00:00:00Z";

struct Place {
  std::string_view kind, namespace_name, name;
};
Place place_of(const Value& object) {
  const Value& metadata = object["metadata"];
  return {object["kind"].text(), metadata["namespace"].text(), metadata["name"].text()};
}

Value* find(Objects& objects, const Place& place) {
  return const_cast<Value*>(objects.find(place.kind, place.namespace_name, place.name));
}
void erase(Objects& objects, const Value* object) {
  objects.all.erase(objects.all.begin() + (object - objects.all.data()));
}

Value stored(Value object, bool server_defaults) {
  const bool has_defaults = server_defaults && object["kind"].text() == kAutoscaler;
  return has_defaults ? default_autoscaler(std::move(object)) : object;
}

/// What the API server answers; empty when it does as it is asked.
std::string apply(Objects& objects, const Request& request, bool server_defaults) {
  Value* existing = find(objects, place_of(request.object));
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

/// A user's own autoscaler, not at all what a reconciler would write.
Value users_own(const cases::ComponentName& component) {
  static thread_local const Value pattern = document::read_json(R"({"apiVersion":"autoscaling/v2",
      "kind":"HorizontalPodAutoscaler","metadata":{"name":"","namespace":"","labels":{"team":"users"}},
      "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":""},"minReplicas":2,
      "maxReplicas":9,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization",
      "averageUtilization":50}}}]}})")
                                                .value();
  Value own = pattern;
  own.edit("metadata").set("name", component.name);
  own.edit("metadata").set("namespace", component.namespace_name);
  own.edit("spec").edit("scaleTargetRef").set("name", component.name);
  return own;
}

/// A user's command; one that the API server refuses changes nothing.
void user_does(Objects& objects, const cases::UserDoes& user, const cases::ComponentName& component) {
  const Value own = users_own(component);
  Value* existing = find(objects, place_of(own));
  switch (user.verb) {
    case cases::UserDoes::Verb::create:
      apply(objects, {Request::Verb::create, own}, true);
      return;
    case cases::UserDoes::Verb::update:
      if (existing == nullptr) return;
      {
        Value edited = *existing;
        Value& spec = edited.edit("spec");
        spec.set("maxReplicas", spec["maxReplicas"].integer().value_or(0) + 1);
        apply(objects, {Request::Verb::update, std::move(edited)}, true);
      }
      return;
    case cases::UserDoes::Verb::remove:
      apply(objects, {Request::Verb::remove, own}, true);
      return;
  }
}

void reconcile(Turn& turn, const Reconciler& reconciler) {
  turn.after = turn.before;
  turn.reconciled = reconciler(turn.before, turn.desired);
  for (const Request& request : turn.reconciled.requests) {
    const std::string problem = apply(turn.after, request, turn.server_defaults);
    if (problem.empty()) continue;
    turn.reconciled.error = problem;
    return;
  }
}

/// What has been set so far, to be put into the next component.
struct Settings {
  std::optional<cases::SetClass> autoscaler_class = {};
  std::optional<bool> stop = {};

  Value put_into(Value desired) const {
    if (desired["name"].is_null()) desired.set("name", cases::kComponentName);
    if (desired["namespace"].is_null()) desired.set("namespace", cases::kComponentNamespace);
    if (desired.find("spec") == nullptr) desired.set("spec", Value::empty_object());
    if (autoscaler_class && !autoscaler_class->name && desired["annotations"].is_object())
      desired.edit("annotations").remove(kClassAnnotation);
    if (autoscaler_class && autoscaler_class->name)
      desired.edit("annotations").set(kClassAnnotation, *autoscaler_class->name);
    if (stop) desired.edit("annotations").set(kStopAnnotation, *stop ? "true" : "false");
    return desired;
  }
};

Objects at_first(const Sequence& value) {
  if (value.initial.is_null()) return {};
  Value initial = value.initial;
  if (initial["kind"].is_null()) initial.set("kind", kAutoscaler);
  if (initial["metadata"]["namespace"].is_null())
    initial.edit("metadata").set("namespace", component_of(value).namespace_name);
  return {{std::move(initial)}};
}

}  // namespace

std::string_view Turn::autoscaler_class() const {
  const Value* given = desired["annotations"].find(kClassAnnotation);
  return given == nullptr ? "hpa" : given->text();
}

Course run_sequence(const Sequence& value, const Reconciler& reconciler) {
  Course course;
  course.turns.reserve(value.steps.size());
  const auto component = component_of(value);
  Objects now = at_first(value);
  Settings settings;
  for (const cases::Step& step : value.steps) {
    Turn turn{.before = now};
    if (const auto* asked = std::get_if<cases::Reconcile>(&step)) {
      turn.desired = settings.put_into(asked->desired);
      turn.server_defaults = asked->server_defaults;
      reconcile(turn, reconciler);
    } else {
      turn.after = now;
      if (const auto* set = std::get_if<cases::SetClass>(&step)) settings.autoscaler_class = *set;
      if (const auto* stop = std::get_if<cases::SetStop>(&step)) settings.stop = stop->stop;
      if (const auto* user = std::get_if<cases::UserDoes>(&step)) user_does(turn.after, *user, component);
    }
    now = turn.after;
    course.turns.push_back(std::move(turn));
  }
  return course;
}

Turn reconcile_again(const Turn& last, const Reconciler& reconciler) {
  Turn turn{.before = last.after, .desired = last.desired, .server_defaults = last.server_defaults};
  reconcile(turn, reconciler);
  return turn;
}

}  // namespace fixpoint::apiserver
