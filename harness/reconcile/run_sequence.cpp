#include "harness/reconcile/run_sequence.h"

#include "harness/document/json.h"

namespace fixpoint::reconcile {

namespace {

using cases::Sequence;

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
  const Value* existing = objects.find("HorizontalPodAutoscaler", component.namespace_name, component.name);
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

void run_reconcile(StepResult& result, const Reconciler& reconciler) {
  result.after = result.before;
  result.reconciled = reconciler(result.before, result.desired);
  for (const Request& request : result.reconciled.requests) {
    const std::string problem = apply(result.after, request, result.server_defaults);
    if (problem.empty()) continue;
    result.reconciled.error = problem;
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
  if (initial["kind"].is_null()) initial.set("kind", "HorizontalPodAutoscaler");
  if (initial["metadata"]["namespace"].is_null())
    initial.edit("metadata").set("namespace", component_of(value).namespace_name);
  return {{std::move(initial)}};
}

}  // namespace

std::vector<StepResult> run_sequence(const Sequence& value, const Reconciler& reconciler) {
  std::vector<StepResult> results;
  results.reserve(value.steps.size());
  const auto component = component_of(value);
  Objects now = at_first(value);
  Settings settings;
  for (const cases::Step& step : value.steps) {
    StepResult result{.before = now};
    if (const auto* asked = std::get_if<cases::Reconcile>(&step)) {
      result.desired = settings.put_into(asked->desired);
      result.server_defaults = asked->server_defaults;
      run_reconcile(result, reconciler);
    } else {
      result.after = now;
      if (const auto* set = std::get_if<cases::SetClass>(&step)) settings.autoscaler_class = *set;
      if (const auto* stop = std::get_if<cases::SetStop>(&step)) settings.stop = stop->stop;
      if (const auto* user = std::get_if<cases::UserDoes>(&step)) user_does(result.after, *user, component);
    }
    now = result.after;
    results.push_back(std::move(result));
  }
  return results;
}

StepResult reconcile_again(const StepResult& last, const Reconciler& reconciler) {
  StepResult result{.before = last.after, .desired = last.desired, .server_defaults = last.server_defaults};
  run_reconcile(result, reconciler);
  return result;
}

}  // namespace fixpoint::reconcile
