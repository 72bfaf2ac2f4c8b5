#include <algorithm>

#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

bool is_same_object(const Value& a, const Value& b) {
  const Value &one = a["metadata"], &other = b["metadata"];
  return a["kind"] == b["kind"] && one["name"] == other["name"] && one["namespace"] == other["namespace"];
}

/// The objects of users that are still stored, as the users made them: an owner that a reconciler adds later
/// does not make an object its own.
class UsersObjects {
 public:
  explicit UsersObjects(const reconcile::Objects& stored) { add_new(stored, {}); }

  /// Takes what a step left: what a user's step adds is a user's, and what is gone is nobody's.
  void take(const reconcile::StepResult& result) {
    std::erase_if(made_, [&](const Value& one) { return !is_among(one, result.after); });
    if (!result.is_reconcile()) add_new(result.after, result.before);
  }
  bool has(const Value& object) const {
    return std::ranges::any_of(made_, [&](const Value& one) { return is_same_object(one, object); });
  }
  bool empty() const { return made_.empty(); }

 private:
  static bool is_among(const Value& object, const reconcile::Objects& stored) {
    return std::ranges::any_of(stored.all, [&](const Value& one) { return is_same_object(one, object); });
  }
  void add_new(const reconcile::Objects& stored, const reconcile::Objects& before) {
    for (const Value& object : stored.all)
      if (!is_owned(object) && !is_among(object, before)) made_.push_back(object);
  }
  std::vector<Value> made_ = {};
};

Violation users_object_deleted(const reconcile::StepResult& result, std::size_t index, const Value& before) {
  const std::string name(class_of(result.desired));
  Violation out{.severity = Severity::error, .path = step_path(index), .value = "delete " + title(before)};
  out.shape = std::string(before["kind"].text()).append(".delete[class=").append(name).append("]");
  out.reason = "with class " + name + " the reconcile deletes " + title(before) +
               ", which a user made and an earlier reconcile took over";
  return out;
}

}  // namespace

Judgement users_object_kept(const Examination& examination) {
  const auto& results = examination.results;
  if (results.empty()) return properties::not_reached("nothing was reconciled");
  UsersObjects users(results.front().before);
  const auto ask = [&](const StepResult& result, std::size_t i, std::vector<Violation>& violations) {
    const bool is_reached = result.is_reconcile() && !users.empty();
    for (const reconcile::Request& request : result.reconciled.requests) {
      if (request.dry_run || request.verb != reconcile::Request::Verb::remove) continue;
      const Value* before = existing(result.before, request);
      if (before != nullptr && is_owned(*before) && users.has(*before))
        violations.push_back(users_object_deleted(result, i, *before));
    }
    users.take(result);
    return is_reached;
  };
  return judged_steps(examination, "no reconcile met an object that a user made", ask);
}

}  // namespace fixpoint::injectors::kserve::autoscaler
