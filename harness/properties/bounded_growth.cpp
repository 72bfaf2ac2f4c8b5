#include "harness/properties/judge.h"
#include "harness/properties/probe.h"
#include "harness/properties/properties.h"

namespace fixpoint::properties {

Judgement bounded_growth(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    Prober prober(examination);
    // Two calls tell whether anything grew after the first; only then is the bound worth its calls.
    const Repetition again = repeat(prober, call.webhook, call.event.before, examination.limits);
    if (again.verdict != "growing") continue;
    std::string path;
    has_grown(again.objects[1], again.objects[2], path);
    Violation violation{
        .severity = Severity::error, .webhook = call.webhook.key, .verdict = "growing", .path = path};
    violation.value = at_path(again.objects[2], path);
    violation.shape = shape_of(path, again.objects[2], Value());
    violation.because = path +
                        " grows with every call: " + std::to_string(at_path(again.objects[1], path).size()) +
                        " after the first, " + std::to_string(violation.value.size()) + " after the second";
    violations.push_back(std::move(violation));
  }
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
