#include "reports/run_record.h"

#include <algorithm>
#include <array>
#include <map>

#include "harness/cases/replay_flags.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/shell_word.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/replay_answer.h"
#include "reports/events.h"

namespace fixpoint::reports {

using document::Error;
using document::Result;
using document::Value;

namespace {

std::optional<Error> take_start(const Value& event, RunRecord& record) {
  record.version = event["version"].text();
  // Merged shards share one seed.
  const Value& first = event["merged"].at(0);
  const Value& shared = first["shard"]["seed"];
  record.seed = (!shared.is_null() ? shared : first.is_null() ? event["seed"] : first["seed"]).text();
  for (const Value& subject : event["subjects"].elements()) record.subjects.emplace_back(subject.text());
  for (const document::Member& file : event["files"].members())
    record.files.emplace(file.key.text(), file.value.text());
  return std::nullopt;
}

std::optional<Error> take_regression(const Value& event, RunRecord& record) {
  record.regressions.push_back({std::string(event["file"].text()), std::string(event["answer"].text())});
  return std::nullopt;
}

std::optional<Error> take_finding(const Value& event, RunRecord& record) {
  auto finding = cases::read_finding(event["finding"]);
  if (!finding) return std::move(finding).error().within("/finding");
  record.findings.push_back({.finding = *std::move(finding)});
  return std::nullopt;
}

std::optional<Error> take_retry(const Value& event, RunRecord& record) {
  auto finding = cases::read_finding(event["finding"]);
  if (!finding) return std::move(finding).error().within("/finding");
  record.retries.push_back({*std::move(finding), std::string(event["answer"].text())});
  return std::nullopt;
}

std::optional<Error> take_problem(const Value& event, RunRecord& record) {
  const Value& problem = event["problem"];
  for (const Value& fingerprint : problem["findings"].elements())
    record.known.emplace(fingerprint.text(), problem["knownAs"].text());
  return std::nullopt;
}

std::optional<Error> take_note(const Value& event, RunRecord& record) {
  auto finding = cases::read_finding(event["finding"]);
  if (!finding) return std::move(finding).error().within("/finding");
  record.notes.push_back(*std::move(finding));
  return std::nullopt;
}

std::optional<Error> take_gate(const Value& event, RunRecord& record) {
  record.summary.vacuity_checks.push_back({.name = std::string(event["name"].text()),
                                           .held = event["held"].is_true(),
                                           .judged = event["judged"].is_true()});
  return std::nullopt;
}

/// Returns the name of what was measured: an injector, or a chain, named by its members.
std::string benched(const Value& event) {
  std::string name(event["injector"].text());
  for (const Value& member : event["chain"].elements())
    name.append(name.empty() ? "chain of " : ", ").append(member.text());
  return name;
}

std::optional<Error> take_bench(const Value& event, RunRecord& record) {
  const Value& figures = event["microseconds"];
  record.latencies.push_back({.injector = benched(event),
                              .pod_bytes = event["podBytes"].integer().value_or(0),
                              .patch_bytes = event["patchBytes"].integer(),
                              .p50 = figures["p50"].real().value_or(0),
                              .p90 = figures["p90"].real().value_or(0),
                              .p99 = figures["p99"].real().value_or(0),
                              .max = figures["max"].real().value_or(0)});
  return std::nullopt;
}

std::optional<Error> take_cost(const Value& event, RunRecord& record) {
  const CostRow row{.axis = std::string(event["axis"].text()),
                    .size = event["size"].integer().value_or(0),
                    .microseconds = event["microseconds"].real().value_or(0),
                    .byte_nanoseconds = event["byteNanoseconds"].real().value_or(0)};
  if (!event["axis"].is_string() || row.axis.empty()) return Error{"expected a text", "/axis"};
  if (row.size < 1) return Error{"expected a whole number above 0", "/size"};
  if (row.microseconds <= 0) return Error{"expected a number above 0", "/microseconds"};
  if (row.byte_nanoseconds < 0) return Error{"expected a number from 0", "/byteNanoseconds"};
  record.costs.push_back(row);
  return std::nullopt;
}

std::optional<Error> take_stop(const Value& event, RunRecord& record) {
  auto summary = read_stop_event(event);
  if (!summary) return std::move(summary).error();
  summary->vacuity_checks = std::move(record.summary.vacuity_checks);
  record.summary = *std::move(summary);
  record.complete = true;
  return std::nullopt;
}

struct Row {
  std::string_view event;
  std::optional<Error> (*take)(const Value&, RunRecord&);
};
constexpr auto kEvents = std::to_array<Row>({{"start", take_start},
                                             {"regression", take_regression},
                                             {"retry", take_retry},
                                             {"finding", take_finding},
                                             {"problem", take_problem},
                                             {"note", take_note},
                                             {"gate", take_gate},
                                             {"bench", take_bench},
                                             {"cost", take_cost},
                                             {"stop", take_stop}});

/// Adds an event to the record. Events of other commands in the same stream are skipped.
std::optional<Error> take(const Value& event, RunRecord& record) {
  if (!event["event"].is_string()) return Error{"expected a string, found none", "/event"};
  for (const Row& row : kEvents) {
    if (row.event == event["event"].text()) return row.take(event, record);
  }
  return std::nullopt;
}

}  // namespace

Result<RunRecord> read_events(std::string_view text) {
  RunRecord record;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size(); ++number) {
    const auto to = text.find('\n', from);
    if (to == std::string_view::npos) break;  // the run was killed while it wrote the line
    const std::string place = "line " + std::to_string(number + 1);
    const auto event = document::read_json(text.substr(from, to - from), {}, document::Strictness::foreign);
    if (!event) return Error{event.error().text(), place};
    if (auto problem = take(*event, record)) return std::move(*problem).within(place);
    from = to + 1;
  }
  if (number == 0) return Error{"expected the events of a run, found none"};
  return record;
}

namespace {

/// The counts of problems and other reasons. A problem counts by the worst of its findings.
struct Totals {
  std::size_t unexpected = 0, warnings = 0, expected = 0, regressions = 0, retries = 0, vacuity_checks = 0;
};

void count_others(const RunRecord& record, Totals& totals) {
  for (const auto& one : record.regressions) totals.regressions += one.answer == "still failing" ? 1 : 0;
  for (const auto& one : record.retries) totals.retries += is_failing(one) ? 1 : 0;
  for (const auto& check : record.summary.vacuity_checks)
    totals.vacuity_checks += check.judged && !check.held ? 1 : 0;
}

Totals totals_of(const RunRecord& record) {
  Totals totals;
  std::map<std::string, std::size_t Totals::*> counts;
  for (const auto& one : record.findings)
    counts[one.finding.fingerprint] = fails_run(record, one)    ? &Totals::unexpected
                                      : one.state == "expected" ? &Totals::expected
                                                                : &Totals::warnings;
  for (const cases::Problem& problem : problems_of(record)) {
    const auto has = [&](std::size_t Totals::* count) {
      return std::any_of(problem.findings.begin(), problem.findings.end(),
                         [&](const std::string& print) { return counts.at(print) == count; });
    };
    ++(has(&Totals::unexpected) ? totals.unexpected
       : has(&Totals::warnings) ? totals.warnings
                                : totals.expected);
  }
  count_others(record, totals);
  return totals;
}

}  // namespace

bool is_tolerated(const RunRecord& record, const cases::Finding& finding) {
  return finding.severity == "warning" && !record.summary.fails_on_warnings;
}

bool fails_run(const RunRecord& record, const RecordedFinding& recorded) {
  return recorded.state != "expected" && !is_tolerated(record, recorded.finding);
}

bool is_failing(const RetryAnswer& retry) {
  return retry.answer == "flaky" || runner::is_failing(retry.answer);
}

bool is_failed(const RunRecord& record) {
  Totals others;
  count_others(record, others);
  return others.regressions + others.retries + others.vacuity_checks > 0 ||
         std::any_of(record.findings.begin(), record.findings.end(),
                     [&](const RecordedFinding& one) { return fails_run(record, one); });
}

bool has_no_verdict(const RunRecord& record) { return !runner::missing_verdicts(record.summary).empty(); }

std::string verdict_of(const RunRecord& record) {
  const Totals totals = totals_of(record);
  std::string text;
  const auto add = [&](std::size_t number, const char* one, const char* more) {
    if (number == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + (number == 1 ? one : more);
  };
  add(totals.unexpected, "problem", "problems");
  add(totals.warnings, "warning", "warnings");
  add(totals.expected, "accepted problem", "accepted problems");
  add(totals.regressions, "regression still fails", "regressions still fail");
  add(totals.retries, "known failure still fails", "known failures still fail");
  add(totals.vacuity_checks, "vacuity check failed", "vacuity checks failed");
  for (const std::string& missing : runner::missing_verdicts(record.summary))
    text += (text.empty() ? "no verdict: " : "; no verdict: ") + missing;
  if (text.empty()) text = "nothing found";
  return text + (record.complete ? "" : "; the run was cut off");
}

std::string headline_of(const RunRecord& record) {
  const std::string verdict = verdict_of(record);
  if (is_failed(record)) return "FAILED: " + verdict;
  if (!has_no_verdict(record)) return "PASSED: " + verdict;
  return "NO VERDICT" + verdict.substr(std::string_view("no verdict").size());
}

std::vector<cases::Problem> problems_of(const RunRecord& record) {
  if (record.problems) return *record.problems;
  std::vector<cases::Finding> findings;
  for (const RecordedFinding& recorded : record.findings) findings.push_back(recorded.finding);
  auto problems = runner::problems_of(findings);
  const auto rank = [&](const cases::Problem& one) {
    return std::pair(one.severity != "error", state_of(one, record) == "known");
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const cases::Problem& a, const cases::Problem& b) { return rank(a) < rank(b); });
  return problems;
}

std::vector<const RecordedFinding*> recorded_of(const cases::Problem& problem, const RunRecord& record) {
  std::vector<const RecordedFinding*> members;
  for (const RecordedFinding& recorded : record.findings) {
    const auto& prints = problem.findings;
    if (std::find(prints.begin(), prints.end(), recorded.finding.fingerprint) != prints.end())
      members.push_back(&recorded);
  }
  return members;
}

std::vector<cases::Finding> members_of(const cases::Problem& problem, const RunRecord& record) {
  std::vector<cases::Finding> members;
  for (const RecordedFinding* recorded : recorded_of(problem, record)) members.push_back(recorded->finding);
  return members;
}

std::string state_of(const cases::Problem& problem, const RunRecord& record) {
  if (!cases::known_as(problem, record.known).empty()) return "known";
  // A run without regressions and retries has nothing to compare its problems with.
  const bool could_know = !record.regressions.empty() || !record.retries.empty();
  std::string state;
  for (const RecordedFinding* recorded : recorded_of(problem, record)) {
    if (!recorded->state.empty() && recorded->state != "new") return "known";
    const bool is_compared = could_know && record.known.contains(recorded->finding.fingerprint);
    if (recorded->state == "new" || is_compared) state = "new";
  }
  return state;
}

std::string state_word(const cases::Problem& problem, const RunRecord& record) {
  const std::string state = state_of(problem, record);
  if (state.empty()) return "";
  const std::string known = cases::known_as(problem, record.known);
  if (state == "new" || !known.empty()) return std::string(cases::state_word(known));
  std::string word = "KNOWN";
  for (const RecordedFinding* recorded : recorded_of(problem, record)) {
    const std::string& past = recorded->state;
    if (past == "reopened") return "REOPENED";
    if (!past.empty() && past != "new" && past != "expected") word = "STILL";
  }
  return word;
}

std::string state_word(const std::string& state) {
  static const std::map<std::string, std::string> kWords{
      {"new", "NEW"},     {"failing", "STILL"},   {"reopened", "REOPENED"},
      {"fixed", "FIXED"}, {"expected", "KNOWN"}, {"flaky", "FLAKY"}};
  const auto word = kWords.find(state);
  return word == kWords.end() ? state : word->second;
}

std::string subject_of(const cases::Finding& finding) {
  if (finding.sequence) return finding.sequence->subject;
  if (finding.webhook.empty()) return "the chain";
  const auto backend = finding.value.webhooks.find(finding.webhook);
  if (backend == finding.value.webhooks.end()) return finding.webhook;
  const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
  return injector == nullptr ? finding.webhook : injector->name;
}

std::string replay_command(const RunRecord& record, const cases::Finding& finding) {
  return "fixpoint replay " +
         document::shell_word(record.folder + "/findings/" + finding.fingerprint + ".json") +
         cases::replay_flags(finding.value);
}

std::string case_text(const cases::Finding& finding) {
  return document::write_json_pretty(finding.sequence ? cases::write_sequence(*finding.sequence)
                                                      : cases::write_case(finding.value));
}

}  // namespace fixpoint::reports
