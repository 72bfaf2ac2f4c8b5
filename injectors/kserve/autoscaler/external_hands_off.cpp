#include "harness/properties/judge.h"
#include "injectors/kserve/autoscaler/autoscaler_properties.h"

namespace fixpoint::injectors::kserve::autoscaler {

using properties::not_reached;
using properties::Severity;
using properties::Violation;
using properties::sequences::step_path;
using properties::sequences::title;
using properties::sequences::went_well;

Judgement external_hands_off(const Examination& examination) {
  bool reached = false;
  std::vector<Violation> violations;
  const auto& results = examination.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string name(class_of(results[i].desired));
    if (!results[i].is_reconcile() || (name != "external" && name != "none")) continue;
    reached = reached || went_well(results[i]);
    for (const reconcile::Request& request : results[i].reconciled.requests) {
      if (request.dry_run || request.verb == reconcile::Request::Verb::remove) continue;
      const std::string verb(reconcile::word(request.verb));
      Violation out{.severity = Severity::error, .path = step_path(i)};
      out.value = verb + " " + title(request.object);
      out.shape = std::string(request.object["kind"].text()).append(".").append(verb);
      out.shape.append("[class=").append(name).append("]");
      out.because = "with class " + name + " the reconcile " + verb + "s " + title(request.object);
      violations.push_back(std::move(out));
    }
  }
  if (!reached) return not_reached("no reconcile took class external or none");
  return judged(std::move(violations));
}

}  // namespace fixpoint::injectors::kserve::autoscaler
