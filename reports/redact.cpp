#include "reports/redact.h"

#include "harness/cases/redaction.h"

namespace fixpoint::reports {

RunRecord redacted(RunRecord record) {
  auto problems = problems_of(record);
  for (RecordedFinding& each : record.findings) {
    cases::Redaction redaction;
    each.finding = redaction.finding(each.finding);
    for (cases::Problem& problem : problems)
      if (problem.repair) problem.repair->operation = redaction.text(std::move(problem.repair->operation));
    for (CallDiff& call_diff : each.call_diffs) {
      for (DiffLine& line : call_diff.lines) {
        line.before = redaction.text(std::move(line.before));
        line.after = redaction.text(std::move(line.after));
      }
    }
  }
  for (RetryAnswer& retry : record.retries) retry.finding = cases::redacted(retry.finding);
  for (cases::Finding& note : record.notes) note = cases::redacted(note);
  for (runner::Observed& observed : record.summary.observations)
    observed.observation.reason = cases::Redaction().sentence(observed.observation.reason);
  record.problems = std::move(problems);
  return record;
}

document::Value redacted_event(const document::Value& event) {
  if (event["finding"].is_object()) {
    if (const auto finding = cases::read_finding(event["finding"])) {
      document::Value out = event;
      out.set("finding", cases::write_finding(cases::redacted(*finding)));
      return out;
    }
  }
  return cases::redacted(event);
}

}  // namespace fixpoint::reports
