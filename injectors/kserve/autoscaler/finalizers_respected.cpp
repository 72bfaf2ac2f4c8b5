#include <algorithm>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

/// Returns the first finalizer of the object that the reconcile removed, or nullptr.
const Value* lost(const Value& before, const Value* after) {
  for (const Value& finalizer : before["metadata"]["finalizers"].elements()) {
    if (after == nullptr) return &finalizer;
    const auto kept = (*after)["metadata"]["finalizers"].elements();
    if (std::find(kept.begin(), kept.end(), finalizer) == kept.end()) return &finalizer;
  }
  return nullptr;
}

Violation violation(std::size_t index, const Value& before, const Value& finalizer) {
  const bool waits = !before["metadata"]["deletionTimestamp"].is_null();
  Violation out{.severity = Severity::error, .path = step_path(index), .value = finalizer};
  out.shape = std::string(before["kind"].text()) + ".metadata.finalizers";
  out.reason = "the reconcile takes the finalizer \"" + std::string(finalizer.text()) + "\" from " +
               title(before) + (waits ? ", which is deleted at once without it" : "");
  return out;
}

}  // namespace

Judgement finalizers_respected(const Examination& examination) {
  const auto ask = [](const StepResult& result, std::size_t i, std::vector<Violation>& violations) {
    bool is_reached = false;
    if (!result.is_reconcile()) return false;
    for (const Value& before : result.before.all) {
      if (before["metadata"]["finalizers"].empty()) continue;
      is_reached = true;
      const Value& metadata = before["metadata"];
      const Value* after =
          result.after.find(before["kind"].text(), metadata["namespace"].text(), metadata["name"].text());
      if (const Value* finalizer = lost(before, after))
        violations.push_back(violation(i, before, *finalizer));
    }
    return is_reached;
  };
  return judged_steps(examination, "no reconcile met an object with finalizers", ask);
}

}  // namespace fixpoint::injectors::kserve::autoscaler
