#include "injectors/kserve/autoscaler/autoscaler_steps.h"

#include <array>

#include "harness/document/json.h"
#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

using document::Fields;
using reconcile::ObjectStore;
using reconcile::Request;

constexpr std::string_view kAbsent = "absent";

Value read_class(Fields& fields, std::string_view name) {
  std::string text;
  fields.optional(name, text);
  return text;
}
void set_class(Value& desired, const Value& value) {
  if (value.text() != kAbsent)
    desired.edit("annotations").set(kClassAnnotation, value);
  else if (desired["annotations"].is_object())
    desired.edit("annotations").remove(kClassAnnotation);
}

Value read_verb(Fields& fields, std::string_view name) {
  std::string verb;
  fields.choice(name, verb, {"create", "update", "delete"});
  return verb;
}

/// Returns a user's own autoscaler, quite different from one that a reconciler would write.
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

/// Executes a user's command; one that the API server refuses changes nothing.
void user_does(ObjectStore& store, const Value& verb, const cases::ComponentName& component) {
  Value own = users_own(component);
  if (verb.text() == "create") store.apply({Request::Verb::create, std::move(own)}, true);
  if (verb.text() == "delete") store.apply({Request::Verb::remove, std::move(own)}, true);
  if (verb.text() != "update") return;
  const Value* existing =
      store.objects().find("HorizontalPodAutoscaler", component.namespace_name, component.name);
  if (existing == nullptr) return;
  Value edited = *existing;
  Value& spec = edited.edit("spec");
  spec.set("maxReplicas", spec["maxReplicas"].integer().value_or(0) + 1);
  store.apply({Request::Verb::update, std::move(edited)}, true);
}

Value read_stop(Fields& fields, std::string_view name) {
  bool stop = false;
  fields.optional(name, stop);
  return stop;
}
void set_stop(Value& desired, const Value& value) {
  desired.edit("annotations").set(kStopAnnotation, value.is_true() ? "true" : "false");
}

constexpr std::array<std::string_view, 2> kPlainerClasses{kAbsent, "external"};

constexpr auto kSteps = std::to_array<reconcile::StepKind>({
    {.reader = {"set", read_class}, .edit = set_class, .plainer = kPlainerClasses},
    {.reader = {"user", read_verb}, .act = user_does},
    {.reader = {"stop", read_stop}, .edit = set_stop},
});

}  // namespace

std::span<const reconcile::StepKind> autoscaler_steps() { return kSteps; }

}  // namespace fixpoint::injectors::kserve::autoscaler
