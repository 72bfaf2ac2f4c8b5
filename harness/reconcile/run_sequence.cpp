#include "harness/reconcile/run_sequence.h"

#include <algorithm>

namespace fixpoint::reconcile {

namespace {

using cases::Sequence;

void run_reconcile(StepResult& result, const Reconciler& reconciler, ObjectStore& store) {
  result.reconciled = reconciler(result.before, result.desired);
  for (const Request& request : result.reconciled.requests) {
    const std::string problem = store.apply(request, result.server_defaults);
    if (problem.empty()) continue;
    result.reconciled.error = problem;
    return;
  }
}

/// The last step of each kind, to be put into the components after it.
class Settings {
 public:
  explicit Settings(std::span<const StepKind> kinds) : kinds_(kinds), last_(kinds.size(), nullptr) {}

  void take(const StepKind& kind, const Value& value) {
    last_[static_cast<std::size_t>(&kind - kinds_.data())] = &value;
  }

  Value put_into(Value desired) const {
    if (desired["name"].is_null()) desired.set("name", cases::kComponentName);
    if (desired["namespace"].is_null()) desired.set("namespace", cases::kComponentNamespace);
    if (desired.find("spec") == nullptr) desired.set("spec", Value::empty_object());
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (last_[i] != nullptr && kinds_[i].edit != nullptr) kinds_[i].edit(desired, *last_[i]);
    }
    return desired;
  }

 private:
  std::span<const StepKind> kinds_;
  std::vector<const Value*> last_;
};

}  // namespace

const StepKind* find_kind(std::span<const StepKind> kinds, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const StepKind& kind) { return kind.reader.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

Objects stored_at_first(const Sequence& value) {
  if (value.initial.is_null()) return {};
  Value initial = value.initial;
  if (initial["kind"].is_null()) initial.set("kind", "HorizontalPodAutoscaler");
  if (initial["metadata"]["namespace"].is_null())
    initial.edit("metadata").set("namespace", component_of(value).namespace_name);
  return {{std::move(initial)}};
}

std::vector<StepResult> run_sequence(const Sequence& value, const Reconciler& reconciler) {
  MemoryStore store(stored_at_first(value));
  return run_sequence(value, reconciler, store);
}

std::vector<StepResult> run_sequence(const Sequence& value, const Reconciler& reconciler,
                                     ObjectStore& store) {
  std::vector<StepResult> results;
  results.reserve(value.steps.size());
  const auto component = component_of(value);
  Settings settings(reconciler.steps);
  for (const cases::Step& step : value.steps) {
    StepResult result{.before = store.objects()};
    if (step.is_reconcile()) {
      result.desired = settings.put_into(step.value);
      result.server_defaults = step.server_defaults;
      run_reconcile(result, reconciler, store);
    } else {
      if (const StepKind* kind = find_kind(reconciler.steps, step.name)) {
        settings.take(*kind, step.value);
        if (kind->act != nullptr) kind->act(store, step.value, component);
      }
    }
    result.after = store.objects();
    results.push_back(std::move(result));
  }
  return results;
}

StepResult reconcile_again(const StepResult& last, const Reconciler& reconciler) {
  StepResult result{.before = last.after, .desired = last.desired, .server_defaults = last.server_defaults};
  MemoryStore store(last.after);
  run_reconcile(result, reconciler, store);
  result.after = store.objects();
  return result;
}

}  // namespace fixpoint::reconcile
