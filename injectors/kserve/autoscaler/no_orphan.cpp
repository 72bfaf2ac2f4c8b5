#include <array>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

/// Enough reconciles for a release that first writes and then deletes.
constexpr int kMoreReconciles = 3;

/// The kind of object that a class uses.
struct Use {
  std::string_view name;
  std::string_view kind;
};
constexpr std::array<Use, 4> kUses{
    {{"hpa", "HorizontalPodAutoscaler"}, {"keda", "ScaledObject"}, {"external", ""}, {"none", ""}}};

const Use* use_of(std::string_view name) {
  for (const Use& use : kUses) {
    if (use.name == name) return &use;
  }
  return nullptr;
}

/// Returns the first stored object that the reconciler owns for the component, that is not being deleted, and
/// whose kind is not the one that the class uses.
const Value* orphan(const reconcile::Objects& stored, const Value& desired, const Use& use) {
  for (const Value& object : stored.all) {
    const Value& metadata = object["metadata"];
    if (!(metadata["name"] == desired["name"]) || !(metadata["namespace"] == desired["namespace"])) continue;
    const bool is_left = is_owned(object) && metadata["deletionTimestamp"].is_null();
    if (is_left && object["kind"].text() != use.kind) return &object;
  }
  return nullptr;
}

Violation violation(const reconcile::StepResult& result, std::size_t index, const Value& object) {
  const std::string name(class_of(result.desired));
  const bool is_autoscaler = object["kind"].text() == "HorizontalPodAutoscaler";
  Violation out{.severity = Severity::error, .path = step_path(index), .value = title(object)};
  out.shape = std::string(object["kind"].text());
  if (is_autoscaler) out.shape.append("[class=").append(name).append("]");
  out.reason = "with class " + name + " " + title(object) + " of ours stays, however often it is reconciled";
  return out;
}

}  // namespace

Judgement no_orphan(const Examination& examination) {
  const auto ask = [&](const StepResult& result, std::size_t i, std::vector<Violation>& violations) {
    const Use* use = use_of(class_of(result.desired));
    if (!went_well(result) || use == nullptr) return false;
    if (orphan(result.before, result.desired, *use) == nullptr) return false;
    if (orphan(result.after, result.desired, *use) == nullptr) return true;
    StepResult last = result;
    for (int more = 0; more < kMoreReconciles; ++more)
      last = reconcile::reconcile_again(last, examination.reconciler);
    if (const Value* object = orphan(last.after, last.desired, *use))
      violations.push_back(violation(result, i, *object));
    return true;
  };
  return judged_steps(examination, "no reconcile met an object of ours that its class has no use for", ask);
}

}  // namespace fixpoint::injectors::kserve::autoscaler
