#include <algorithm>

#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/properties/pack.h"
#include "harness/runner/problems.h"
#include "reports/escape.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// A message without links: SARIF reads `[text](target)` in it as one (SARIF 2.1.0, 3.11.6).
Value message(std::string_view text) {
  std::string plain = document::printable(text);
  for (auto at = plain.find("]("); at != std::string::npos; at = plain.find("](", at + 3))
    plain.replace(at, 2, "] (");
  return {{"text", plain}};
}

Value rule_of(const std::string& property, const properties::Catalog& catalog) {
  const std::string_view claim = catalog.claim_of(property);
  Value rule{{"id", property}, {"shortDescription", message(claim.empty() ? property : claim)}};
  if (const auto* more = catalog.explanation_of(property)) {
    rule.set("fullDescription", message(more->matters));
    rule.set("help", message(std::string("For example: ").append(more->example) +
                             "\nUsual fix: " + std::string(more->fix)));
  }
  return rule;
}

Value result_of(const RecordedFinding& recorded, const RunRecord& record, std::int64_t rule) {
  const cases::Finding& finding = recorded.finding;
  const Value where{{"uri", "findings/" + document::printable(finding.fingerprint) + ".json"},
                    {"uriBaseId", "RUN"}};
  const Value physical{{"artifactLocation", where}, {"region", {{"startLine", 1}}}};
  const Value logical{
      {"fullyQualifiedName", document::printable(subject_of(finding) + ": " + finding.evidence.path)},
      {"kind", "object"}};
  Value properties{{"subject", document::printable(subject_of(finding))},
                   {"severity", finding.severity},
                   {"seed", record.seed},
                   {"problem", runner::problem_id(finding)}};
  if (!finding.verdict.empty()) properties.set("verdict", document::printable(finding.verdict));
  if (!recorded.state.empty()) properties.set("state", recorded.state);
  return {{"ruleId", finding.property},
          {"ruleIndex", rule},
          {"level", finding.severity == "error" ? "error" : "warning"},
          {"message", message(subject_of(finding) + ": " + finding.evidence.because)},
          {"locations",
           Value::list({{{"physicalLocation", physical}, {"logicalLocations", Value::list({logical})}}})},
          {"partialFingerprints", {{"fixpoint/v1", document::printable(finding.fingerprint)}}},
          {"properties", std::move(properties)}};
}

/// An observation is a note: no tool counts it as a problem.
Value note_of(const runner::Observed& observed, std::int64_t rule) {
  const properties::Observation& seen = observed.observation;
  const Value logical{{"fullyQualifiedName", document::printable(seen.webhook + ": " + seen.path)},
                      {"kind", "object"}};
  return {{"ruleId", seen.kind},
          {"ruleIndex", rule},
          {"level", "note"},
          {"message", message(seen.webhook + " " + seen.because)},
          {"locations", Value::list({{{"logicalLocations", Value::list({logical})}}})},
          {"properties", {{"cases", Value::number(std::to_string(observed.cases))}}}};
}

/// The rules of a run, each once, and its results.
struct Results {
  const RunRecord& record;
  Value rules = Value::empty_list(), results = Value::empty_list();
  std::vector<std::string> known = {};

  std::int64_t rule(const std::string& name) {
    const auto at = std::find(known.begin(), known.end(), name);
    const std::int64_t index = at - known.begin();
    if (at == known.end()) {
      known.push_back(name);
      rules.push_back(rule_of(name, record.catalog));
    }
    return index;
  }
  void take() {
    for (const RecordedFinding& recorded : record.findings)
      results.push_back(result_of(recorded, record, rule(recorded.finding.property)));
    for (const runner::Observed& observed : record.summary.observations)
      results.push_back(note_of(observed, rule(observed.observation.kind)));
  }
};

std::string write_sarif(const RunRecord& record) {
  Results all{.record = record};
  all.take();
  const Value driver{{"name", "fixpoint"}, {"version", record.version}, {"rules", std::move(all.rules)}};
  const Value run{
      {"tool", {{"driver", driver}}},
      {"automationDetails", {{"id", "fixpoint/"}}},
      {"columnKind", "unicodeCodePoints"},
      {"originalUriBaseIds", {{"RUN", {{"description", {{"text", "The run's folder."}}}}}}},
      {"invocations", Value::list({{{"executionSuccessful", record.complete && !has_no_verdict(record)}}})},
      {"results", std::move(all.results)},
      {"properties", {{"verdict", verdict_of(record)}, {"seed", record.seed}}}};
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
