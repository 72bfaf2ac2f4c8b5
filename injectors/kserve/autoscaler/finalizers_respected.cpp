#include <algorithm>

#include "harness/properties/judge.h"
#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

using properties::not_reached;
using properties::Severity;
using properties::Violation;
using properties::sequences::step_path;
using properties::sequences::title;

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
  out.because = "the reconcile takes the finalizer \"" + std::string(finalizer.text()) + "\" from " +
                title(before) + (waits ? ", which is deleted at once without it" : "");
  return out;
}

}  // namespace

Judgement finalizers_respected(const Examination& examination) {
  bool reached = false;
  std::vector<Violation> violations;
  const auto& results = examination.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].is_reconcile()) continue;
    for (const Value& before : results[i].before.all) {
      if (before["metadata"]["finalizers"].empty()) continue;
      reached = true;
      const Value& metadata = before["metadata"];
      const Value* after =
          results[i].after.find(before["kind"].text(), metadata["namespace"].text(), metadata["name"].text());
      if (const Value* finalizer = lost(before, after))
        violations.push_back(violation(i, before, *finalizer));
    }
  }
  if (!reached) return not_reached("no reconcile met an object with finalizers");
  return judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::autoscaler
