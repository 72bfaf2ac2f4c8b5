#include "harness/document/json.h"
#include "reports/escape.h"
#include "reports/events.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

template <class List, class Each>
Value list_of(const List& list, const Each& each) {
  Value out = Value::empty_list();
  for (const auto& one : list) out.push_back(each(one));
  return out;
}

Value finding_of(const RecordedFinding& recorded) {
  Value out = cases::write_finding(recorded.finding);
  if (!recorded.state.empty()) out = {{"state", recorded.state}, {"finding", out}};
  return recorded.state.empty() ? Value{{"finding", out}} : out;
}

Value latency_of(const LatencyRow& row) {
  std::vector<document::Member> latency{{"injector", row.injector}, {"podBytes", row.pod_bytes}};
  if (row.patch_bytes) latency.push_back({"patchBytes", *row.patch_bytes});
  latency.push_back({"microseconds",
                     {{"p50", hundredths(row.p50)},
                      {"p90", hundredths(row.p90)},
                      {"p99", hundredths(row.p99)},
                      {"max", hundredths(row.max)}}});
  return latency;
}

Value cost_of(const CostRow& row) {
  Value cost = cost_event(row);
  cost.remove("event");
  return cost;
}

Value past_of(const PastFinding& past) {
  return {{"fingerprint", past.fingerprint}, {"property", past.property}, {"subject", past.subject},
          {"severity", past.severity},       {"state", past.state},       {"firstSeen", past.first_seen},
          {"lastSeen", past.last_seen},      {"runs", past.runs}};
}

/// Returns the stop event without the members that appear elsewhere in the summary.
Value counts_of(Value stop) {
  for (const char* other : {"event", "properties", "findings", "notes", "observations", "failOn"})
    stop.remove(other);
  return stop;
}

std::string write_summary_json(const RunRecord& record) {
  const Value stop = stop_event(record.summary);
  const Value out{
      {"apiVersion", "fixpoint/v1"},
      {"kind", "Run"},
      {"verdict", verdict_of(record)},
      {"failed", is_failed(record)},
      {"failOn", record.summary.fails_on_warnings ? "warning" : "error"},
      {"noVerdict", has_no_verdict(record)},
      {"complete", record.complete},
      {"version", record.version},
      {"seed", record.seed},
      {"subjects", std::vector<Value>(record.subjects.begin(), record.subjects.end())},
      {"counts", counts_of(stop)},
      {"properties", stop["properties"]},
      {"regressions",
       list_of(record.regressions,
               [](const auto& one) { return Value{{"file", one.file}, {"answer", one.answer}}; })},
      {"gates", list_of(record.summary.vacuity_checks,
                        [](const runner::VacuityCheck& check) {
                          Value written = vacuity_check_event(check);
                          written.remove("event");
                          return written;
                        })},
      {"problems", list_of(problems_of(record),
                           [&](const cases::Problem& problem) {
                             Value written = cases::write_problem(problem);
                             if (const std::string state = state_of(problem, record); !state.empty())
                               written.set("state", state);
                             return written;
                           })},
      {"findings", list_of(record.findings, finding_of)},
      {"observations", stop["observations"]},
      {"notes", list_of(record.notes, cases::write_finding)},
      {"retries", list_of(record.retries,
                          [](const RetryAnswer& retry) {
                            return Value{{"fingerprint", retry.finding.fingerprint},
                                         {"property", retry.finding.property},
                                         {"subject", subject_of(retry.finding)},
                                         {"answer", retry.answer}};
                          })},
      {"latencies", list_of(record.latencies, latency_of)},
      {"costs", list_of(record.costs, cost_of)},
      {"history", list_of(record.history, past_of)}};
  return json_without_commands(document::write_json_pretty(out));
}

}  // namespace

extern constinit const Format kSummaryJson = {"json", "one summary; schema in reports/schemas/run.json",
                                              write_summary_json};

}  // namespace fixpoint::reports
