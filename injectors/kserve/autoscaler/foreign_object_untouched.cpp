#include <algorithm>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

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
  out.reason = "with class " + name + " the reconcile " + (verb == "update" ? "overwrites " : "deletes ") +
               title(before) + ", which it does not own";
  return out;
}

}  // namespace

Judgement foreign_object_untouched(const Examination& examination) {
  return judged_steps(examination, "no reconcile met an object of somebody else",
                      [](const StepResult& result, std::size_t i, auto& violations) {
                        if (!result.is_reconcile() || std::ranges::all_of(result.before.all, is_owned))
                          return false;
                        for (const reconcile::Request& request : result.reconciled.requests) {
                          const Value* before = existing(result.before, request);
                          if (before == nullptr || is_owned(*before) || !is_changed(result, request, *before))
                            continue;
                          violations.push_back(violation(result, i, request, *before));
                        }
                        return true;
                      });
}

}  // namespace fixpoint::injectors::kserve::autoscaler
