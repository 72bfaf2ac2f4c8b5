#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

Judgement external_hands_off(const Examination& examination) {
  const auto ask = [](const StepResult& result, std::size_t i, std::vector<Violation>& violations) {
    const std::string name(class_of(result.desired));
    if (!result.is_reconcile() || (name != "external" && name != "none")) return false;
    for (const reconcile::Request& request : result.reconciled.requests) {
      if (request.dry_run || request.verb == reconcile::Request::Verb::remove) continue;
      const std::string verb(reconcile::word(request.verb));
      Violation out{.severity = Severity::error, .path = step_path(i)};
      out.value = verb + " " + title(request.object);
      out.shape = std::string(request.object["kind"].text()).append(".").append(verb);
      out.shape.append("[class=").append(name).append("]");
      out.reason = "with class " + name + " the reconcile " + verb + "s " + title(request.object);
      violations.push_back(std::move(out));
    }
    return went_well(result);
  };
  return judged_steps(examination, "no reconcile took class external or none", ask);
}

}  // namespace fixpoint::injectors::kserve::autoscaler
