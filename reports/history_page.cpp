#include "reports/history_page.h"

#include <algorithm>
#include <map>

#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/runner/replay_answer.h"
#include "reports/past_runs.h"

namespace fixpoint::reports {

using document::Error;
using document::Fields;
using document::Result;
using document::Value;

namespace {

Result<HistoryRun> read_run(const Value& line) {
  HistoryRun run;
  std::optional<Error> problem;
  Fields fields(line, "", problem);
  std::string kind;
  fields.choice("kind", kind, {"HistoryRun"});
  if (kind.empty()) fields.fail("kind", "expected \"HistoryRun\", found nothing");
  fields.optional("id", run.id);
  fields.required("date", run.date);
  fields.required("version", run.version);
  fields.required("seed", run.seed);
  fields.optional("subjects", run.subjects);
  std::int64_t cases = 0;
  fields.optional("cases", cases);
  fields.optional("folder", run.folder);
  fields.optional("report", run.report);
  run.cases = static_cast<std::uint64_t>(std::max<std::int64_t>(0, cases));
  fields.list("findings", [&](const Value& source, const std::string& pointer) {
    Fields one(source, pointer, problem);
    HistoryEntry entry;
    one.required("answer", entry.answer);
    auto finding = cases::read_finding(one.get("finding"));
    if (!finding && !one.failed()) problem = std::move(finding).error().within(pointer + "/finding");
    if (finding) entry.finding = *std::move(finding);
    one.finish();
    run.findings.push_back(std::move(entry));
  });
  fields.finish();
  if (problem) return *std::move(problem);
  return run;
}

}  // namespace

Result<History> read_history(std::string_view text) {
  History history;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    const auto line = text.substr(from, to - from);
    from = to + 1;
    ++number;
    if (line.empty()) continue;
    const auto read = document::read_json(line, {}, document::Strictness::foreign);
    if (!read || !read->is_object()) {
      ++history.torn;
      continue;
    }
    auto run = read_run(*read);
    if (!run) return std::move(run).error().within("line " + std::to_string(number));
    if (!run->id.empty())
      std::erase_if(history.runs, [&](const HistoryRun& earlier) { return earlier.id == run->id; });
    history.runs.push_back(*std::move(run));
  }
  return history;
}

std::string history_line(const HistoryRun& run) {
  Value findings = Value::empty_list();
  for (const HistoryEntry& entry : run.findings)
    findings.push_back({{"answer", entry.answer}, {"finding", cases::write_finding(entry.finding)}});
  Value line{{"kind", "HistoryRun"},
             {"date", run.date},
             {"version", run.version},
             {"seed", run.seed},
             {"subjects", std::vector<Value>(run.subjects.begin(), run.subjects.end())},
             {"cases", Value::number(std::to_string(run.cases))}};
  if (!run.id.empty()) line.set("id", run.id);
  if (!run.folder.empty()) line.set("folder", run.folder);
  if (!run.report.empty()) line.set("report", run.report);
  line.set("findings", std::move(findings));
  return document::write_json(line) + "\n";
}

HistoryRun history_run(const RunRecord& record, const std::string& date) {
  HistoryRun run{.date = date,
                 .version = record.version,
                 .seed = record.seed,
                 .subjects = record.subjects,
                 .cases = record.summary.cases};
  const auto is_found = [&](const RetryAnswer& retry) {
    return std::any_of(record.findings.begin(), record.findings.end(), [&](const RecordedFinding& found) {
      return found.finding.fingerprint == retry.finding.fingerprint;
    });
  };
  // Another Case still shows the finding that its stored Case no longer shows: it is not fixed.
  for (const RetryAnswer& retry : record.retries)
    if (!is_found(retry)) run.findings.push_back({retry.finding, retry.answer});
  for (const RecordedFinding& found : record.findings) run.findings.push_back({found.finding, "found"});
  return run;
}

namespace {

/// The state of one fingerprint while the runs are read in order.
struct Past {
  PastFinding row;
  cases::Finding newest;
  std::string fixed_in;  ///< the subject in which it was fixed
};

void take(Past& past, const HistoryEntry& entry, const std::string& date) {
  const std::string subject = subject_of(entry.finding);
  if (runner::is_fixed(entry.answer)) {
    past.fixed_in = subject;
    if (past.row.state != "flaky") past.row.state = "fixed";
    return;
  }
  const bool was_fixed = past.row.state == "fixed";
  // A subject without a release may have changed between two runs.
  const bool is_same_release = past.fixed_in == subject && subject.find('@') != std::string::npos;
  if (entry.answer == "flaky" || (was_fixed && is_same_release)) past.row.state = "flaky";
  if (past.row.state != "flaky") past.row.state = was_fixed ? "reopened" : "failing";
  if (past.row.last_seen != date) ++past.row.runs;
  past.row.last_seen = date;
  past.row.subject = subject;
  past.newest = entry.finding;
}

std::vector<Past> pasts_of(const History& history) {
  std::vector<Past> pasts;
  std::map<std::string, std::size_t> index;
  for (const HistoryRun& run : history.runs) {
    for (const HistoryEntry& entry : run.findings) {
      const auto [at, is_new] = index.emplace(entry.finding.fingerprint, pasts.size());
      if (is_new) {
        pasts.push_back({.row = {.fingerprint = entry.finding.fingerprint,
                                 .property = entry.finding.property,
                                 .subject = subject_of(entry.finding),
                                 .severity = entry.finding.severity,
                                 .first_seen = run.date},
                         .newest = entry.finding,
                         .fixed_in = {}});
      }
      take(pasts[at->second], entry, run.date);
    }
  }
  return pasts;
}

}  // namespace

std::vector<PastFinding> past_findings(const History& history) {
  std::vector<PastFinding> all;
  for (Past& past : pasts_of(history)) all.push_back(std::move(past.row));
  return all;
}

std::vector<cases::Finding> known_failures(const History& history) {
  std::vector<cases::Finding> all;
  for (Past& past : pasts_of(history))
    if (past.row.state != "fixed") all.push_back(std::move(past.newest));
  return all;
}

void tell_history(RunRecord& record, const History& history) {
  record.history = past_findings(history);
  tell_past_runs(record, history);
  for (RecordedFinding& recorded : record.findings) {
    if (!recorded.state.empty()) continue;
    recorded.state = "new";
    for (const PastFinding& past : record.history)
      if (past.fingerprint == recorded.finding.fingerprint)
        recorded.state = past.runs > 1 ? past.state : "new";
  }
}

}  // namespace fixpoint::reports
