#include <algorithm>
#include <set>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/runner/fingerprint.h"
#include "reports/escape.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"
#include "reports/sarif_rules.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// A file, and a line of it from 1.
struct Source {
  std::string path;
  int line = 1;
};

/// Returns the location of a result: a line of a file, and the name of the object in it.
Value location_of(const Source& source, const std::string& name) {
  const Value physical{{"artifactLocation", {{"uri", uri_of_path(source.path)}}},
                       {"region", {{"startLine", source.line}}}};
  const Value logical{{"fullyQualifiedName", sarif_line(name)}, {"kind", "object"}};
  return Value::list({{{"physicalLocation", physical}, {"logicalLocations", Value::list({logical})}}});
}

/// Returns the fingerprints of a result. Code scanning recognises an alert by `primaryLocationLineHash`,
/// which it would otherwise compute from a source that it does not have.
Value fingerprints(const std::string& identity) {
  return {{"fixpoint/v2", sarif_line(identity)}, {"primaryLocationLineHash", sarif_line(identity) + ":1"}};
}

/// Returns what a maintainer of the webhook edits: the file that the user named, else the line of the webhook
/// in the file of its configuration, else `other`.
Source source_of(const RunRecord& record, const std::string& webhook, const std::string& other) {
  if (!record.source.empty()) return {record.source};
  const auto file = std::ranges::find_if(
      record.files, [&](const auto& one) { return cases::belongs_to(webhook, one.first); });
  if (file == record.files.end()) return {other};
  auto line = record.lines.find(webhook);
  if (line == record.lines.end()) line = record.lines.find(file->first);
  return {relative_path(file->second), line == record.lines.end() ? 1 : line->second};
}

/// Sets the state in relation to the previous run, if the record contains it.
void set_baseline(Value& result, const std::string& state) {
  if (!state.empty()) result.set("baselineState", state == "new" ? "new" : "unchanged");
}

Value result_of(const ProblemView& view, const RunRecord& record, std::int64_t rule) {
  const cases::Problem& problem = view.problem;
  const cases::Finding& finding = view.smallest();
  std::vector<std::string> lines{
      problem.part + " " + problem.title + ".",
      plural(view.findings.size(), "finding", "findings") + ": " + tally_of(view) + ".",
      "For example: " + finding.evidence.reason};
  if (const std::string proof = proof_of(problem); !proof.empty()) lines.push_back("Repair: " + proof + ".");
  Value properties{{"problem", problem.id},
                   {"subjects", document::list_of(problem.subjects)},
                   {"findings", document::list_of(problem.findings)},
                   {"severity", problem.severity},
                   {"seed", record.seed}};
  if (!finding.verdict.empty()) properties.set("verdict", sarif_line(finding.verdict));
  if (!view.state.empty()) properties.set("state", view.state);
  Value result{{"ruleId", finding.property},
               {"ruleIndex", rule},
               {"level", problem.severity == "error" ? "error" : "warning"},
               {"message", sarif_message(lines)},
               {"locations", location_of(source_of(record, finding.webhook, finding_file(record, finding)),
                                         problem.part + ": " + problem.place)},
               {"partialFingerprints", fingerprints(problem.id)},
               {"properties", std::move(properties)}};
  set_baseline(result, view.state);
  return result;
}

/// Returns the result for a stored finding that still fails: it is a known one.
Value result_of(const RegressionAnswer& regression, std::int64_t rule) {
  const std::string file = relative_path(regression.file);
  return {{"ruleId", kRegressionRule},
          {"ruleIndex", rule},
          {"level", "error"},
          {"message",
           sarif_message({"The regression " + file + " still fails: what it stored is not repaired."})},
          {"locations", location_of({file}, file)},
          {"partialFingerprints", fingerprints("regression " + file)},
          {"baselineState", "unchanged"}};
}

/// Returns the result for a known failure that the run did not find again, and that still fails when its Case
/// is replayed.
Value result_of(const RetryAnswer& retry, const RunRecord& record, std::int64_t rule) {
  const cases::Finding& finding = retry.finding;
  return {{"ruleId", finding.property},
          {"ruleIndex", rule},
          {"level", finding.severity == "error" ? "error" : "warning"},
          {"message", sarif_message({subject_of(finding) + ": a known failure, " + retry.answer + ".",
                                     finding.evidence.reason})},
          {"locations", location_of(source_of(record, finding.webhook, finding_file(record, finding)),
                                    subject_of(finding) + ": " + finding.evidence.path)},
          {"partialFingerprints", fingerprints(finding.fingerprint)},
          {"baselineState", "unchanged"}};
}

/// Returns the note for an observation: no tool counts a note as a problem.
Value note_of(const runner::Observed& observed, const RunRecord& record, std::int64_t rule) {
  const properties::Observation& seen = observed.observation;
  const std::string identity = runner::fingerprint_of(
      {"observation", seen.kind, cases::webhook_ref({}, seen.webhook).name, seen.path});
  const std::string events = run_file(record, "events.ndjson");
  return {
      {"ruleId", seen.kind},
      {"ruleIndex", rule},
      {"level", "note"},
      {"message", sarif_message({seen.webhook + " " + seen.reason})},
      {"locations", location_of(source_of(record, seen.webhook, events), seen.webhook + ": " + seen.path)},
      {"partialFingerprints", fingerprints(identity)},
      {"properties", {{"cases", Value::number(std::to_string(observed.cases))}}}};
}

/// The rules of a run, each once, and the results.
struct Results {
  const RunRecord& record;
  Value rules = Value::empty_list(), results = Value::empty_list();
  std::vector<std::string> known = {};

  std::int64_t rule(const std::string& name) {
    const auto at = std::find(known.begin(), known.end(), name);
    const std::int64_t index = at - known.begin();
    if (at == known.end()) {
      known.push_back(name);
      rules.push_back(sarif_rule(name, record.catalog));
    }
    return index;
  }
  void take_known() {
    std::set<std::string> files, found;  // a regression has one result for each subject
    for (const RegressionAnswer& regression : record.regressions)
      if (regression.answer == "still failing" && files.insert(regression.file).second)
        results.push_back(result_of(regression, rule(std::string(kRegressionRule))));
    for (const RecordedFinding& recorded : record.findings) found.insert(recorded.finding.fingerprint);
    for (const RetryAnswer& retry : record.retries)
      if (is_failing(retry) && found.insert(retry.finding.fingerprint).second)
        results.push_back(result_of(retry, record, rule(retry.finding.property)));
  }
  void take() {
    for (const ProblemView& view : views_of(record))
      results.push_back(result_of(view, record, rule(view.smallest().property)));
    take_known();
    for (const runner::Observed& observed : record.summary.observations)
      results.push_back(note_of(observed, record, rule(observed.observation.kind)));
  }
};

std::string write_sarif(const RunRecord& record) {
  Results all{.record = record};
  all.take();
  const Value driver{{"name", "fixpoint"},
                     {"version", record.version},
                     {"informationUri", kInformationUri},
                     {"rules", std::move(all.rules)}};
  const Value run{
      {"tool", {{"driver", driver}}},
      {"automationDetails", {{"id", "fixpoint/"}}},
      {"columnKind", "unicodeCodePoints"},
      {"invocations", Value::list({{{"executionSuccessful", record.complete && !has_no_verdict(record)}}})},
      {"results", std::move(all.results)},
      {"properties", {{"verdict", sarif_line(verdict_of(record))}, {"seed", record.seed}}}};
  const Value log{{"$schema",
                   "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                   "sarif-schema-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", Value::list({run})}};
  return json_without_commands(document::write_json_pretty(log));
}

}  // namespace

extern constinit const Format kSarif = {"sarif", "SARIF 2.1.0, for code scanning", write_sarif};

}  // namespace fixpoint::reports
