#include "generators/case_reduction.h"

#include "harness/cases/object_name.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::generators {

using cases::Case;

bool is_answered_outside(const Case& value) {
  return std::any_of(value.webhooks.begin(), value.webhooks.end(),
                     [](const auto& webhook) { return external::is_external(webhook.second); });
}

namespace {

/// Returns true if a Pod that had a container has none any more, and a webhook outside of the process gets
/// it: one that dies of such a Pod would be restarted once for each try.
bool loses_containers(const Case& value, const Case& candidate) {
  const auto has_one = [](const Value& pod) { return !pod["spec"]["containers"].elements().empty(); };
  const bool loses = (has_one(value.request.object) && !has_one(candidate.request.object)) ||
                     (has_one(value.request.old_object) && candidate.request.is_update() &&
                      !has_one(candidate.request.old_object));
  return loses && is_answered_outside(value);
}

}  // namespace

bool CaseReduction::offer(Case candidate) {
  CaseWeight weight = case_weight_of(candidate, value_, weight_);
  if (!(weight.whole < weight_.whole) || loses_containers(value_, candidate) || !take_(candidate))
    return false;
  value_ = std::move(candidate);
  weight_ = std::move(weight);
  return true;
}

const Value* CaseReduction::kept_object(const Value& object) const {
  const auto kept = std::find_if(kept_.objects.begin(), kept_.objects.end(),
                                 [&](const Value& own) { return cases::have_same_name(own, object); });
  return kept == kept_.objects.end() ? nullptr : &*kept;
}

void CaseReduction::restore_objects() {
  for (std::size_t i = 0; i < value_.cluster.objects.size(); ++i) {
    const Value* kept = kept_object(value_.cluster.objects[i]);
    if (kept == nullptr || *kept == value_.cluster.objects[i]) continue;
    Case candidate = value_;
    candidate.cluster.objects[i] = *kept;
    if (!take_(candidate)) continue;
    value_ = std::move(candidate);
    weight_ = case_weight_of(value_);
  }
}

}  // namespace fixpoint::generators
