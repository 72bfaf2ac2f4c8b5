#include <algorithm>

#include "harness/properties/judge.h"
#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

using properties::not_reached;
using properties::Severity;
using properties::Violation;
using properties::sequences::existing;
using properties::sequences::step_path;
using properties::sequences::title;

/// Returns true if an owner of a foreign object is an InferenceService, too: a reconciler that compares only
/// kinds mistakes such an object for its own.
bool has_like_owner(const Value& object) {
  const auto owners = object["metadata"]["ownerReferences"].elements();
  return std::any_of(owners.begin(), owners.end(),
                     [](const Value& owner) { return owner["kind"].text() == "InferenceService"; });
}

bool is_changed(const reconcile::StepResult& result, const reconcile::Request& request, const Value& before) {
  if (request.dry_run || request.verb == reconcile::Request::Verb::create) return false;
  const Value* after = existing(result.after, request);
  return after == nullptr || !(*after == before);
}

Violation violation(const reconcile::StepResult& result, std::size_t index, const reconcile::Request& request,
                    const Value& before) {
  const std::string verb(reconcile::word(request.verb)), name(class_of(result.desired));
  Violation out{.severity = Severity::error, .path = step_path(index), .value = verb + " " + title(before)};
  out.shape = std::string(before["kind"].text()).append(".").append(verb).append("[class=").append(name);
  out.shape += has_like_owner(before) ? "][owner=InferenceService]" : "]";
  out.because = "with class " + name + " the reconcile " + (verb == "update" ? "overwrites " : "deletes ") +
                title(before) + ", which it does not own";
  return out;
}

}  // namespace

Judgement foreign_object_untouched(const Examination& examination) {
  bool reached = false;
  std::vector<Violation> violations;
  const auto& results = examination.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& stored = results[i].before.all;
    if (!results[i].is_reconcile() || std::all_of(stored.begin(), stored.end(), is_owned)) continue;
    reached = true;
    for (const reconcile::Request& request : results[i].reconciled.requests) {
      const Value* before = existing(results[i].before, request);
      if (before == nullptr || is_owned(*before) || !is_changed(results[i], request, *before)) continue;
      violations.push_back(violation(results[i], i, request, *before));
    }
  }
  if (!reached) return not_reached("no reconcile met an object of somebody else");
  return judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::autoscaler
