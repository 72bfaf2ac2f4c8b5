#include "harness/runner/replay_answer.h"
#include "reports/escape.h"
#include "reports/report_formats.h"
#include "reports/retold.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// The limit on a Case in a report: a pull request's comment holds 65,536 characters. A longer Case is only
/// in the run's folder.
constexpr std::size_t kCaseBytesMax = 6000;
constexpr std::size_t kDetailedMax = 8;

std::string row(std::initializer_list<std::string> cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string trace_of(const cases::Finding& finding) {
  std::string out;
  for (const cases::TraceStep& call : finding.evidence.calls) {
    const std::string number = (finding.sequence ? "step " : "pass ") + std::to_string(call.pass);
    out += (call.check.empty() ? number : "check ") + "  " + call.webhook + "  " +
           (call.check.empty() ? "" : call.check + ": ");
    for (const std::string& did : call.did) out += (did == call.did.front() ? "" : ", ") + did;
    if (call.did.empty()) out += "(nothing)";
    out += call.again.empty() ? "\n" : "   <- added again\n";
  }
  return out;
}

std::string details_of(const RecordedFinding& recorded, const RunRecord& record) {
  const cases::Finding& finding = recorded.finding;
  std::string out = "<details><summary>" + xml_text(finding.property) + " in <code>" +
                    xml_text(subject_of(finding)) + "</code></summary>\n\n";
  out += markdown_code(finding.evidence.because) + "\n\n";
  if (!finding.evidence.calls.empty()) out += markdown_block(trace_of(finding), "text") + "\n";
  const std::string text = case_text(finding);
  out += text.size() > kCaseBytesMax
             ? "The smallest Case has " + std::to_string(text.size()) + " bytes: see the run's folder.\n\n"
             : "The smallest Case:\n\n" + markdown_block(text, "json") + "\n";
  return out + "Replay: " + markdown_code(replay_command(record, finding)) + "\n\n</details>\n\n";
}

std::string findings_of(const RunRecord& record) {
  if (record.findings.empty()) return "";
  std::string out = "| | property | subject | what | fingerprint |\n| --- | --- | --- | --- | --- |\n";
  for (const RecordedFinding& recorded : record.findings) {
    const cases::Finding& finding = recorded.finding;
    const std::string state = recorded.state.empty() ? "" : ", " + state_word(recorded.state);
    out += row({finding.severity + state, markdown_cell(finding.property), markdown_cell(subject_of(finding)),
                markdown_cell(finding.evidence.because), markdown_cell(finding.fingerprint)});
  }
  out += "\n";
  for (std::size_t i = 0; i < record.findings.size() && i < kDetailedMax; ++i)
    out += details_of(record.findings[i], record);
  if (record.findings.size() > kDetailedMax) out += "The others stand in the run's folder.\n\n";
  return out;
}

std::string problem_table(const RunRecord& record) {
  const auto problems = problems_of(record);
  if (problems.empty()) return "";
  std::string out = "| | problem | findings | repair | id |\n| --- | --- | --- | --- | --- |\n";
  for (const std::vector<cases::Problem>& one : cases::rows_of(problems)) {
    std::string state, ids, places;
    std::size_t findings = 0;
    for (const cases::Problem& problem : one) {
      const std::string word = state_word(problem, record);
      if (state.find(word) == std::string::npos) state += ", " + word;
      ids += (ids.empty() ? "" : ", ") + problem.id;
      places += (places.empty() ? ": " : ", ") + problem.place;
      findings += problem.findings.size();
    }
    const cases::Problem& first = one.front();
    const std::string repair = one.size() == 1 && first.repair ? cases::sentence_of(*first.repair) : "";
    const std::string title = cases::title_of_row(one) + (one.size() == 1 ? "" : places);
    out += row({first.severity + state, markdown_cell(first.part + " " + title), std::to_string(findings),
                markdown_cell(repair), markdown_cell(ids)});
  }
  return out + "\n";
}

std::string failures_of(const RunRecord& record) {
  std::string out;
  for (const auto& regression : record.regressions) {
    if (runner::is_fixed(regression.answer)) continue;
    out += "- regression " + markdown_code(regression.file) + ": " + markdown_code(regression.answer) + "\n";
  }
  for (const Retold& one : retold_of(record.retries, problems_of(record)))
    out += "- " + one.state + ": " + markdown_code(one.title) +
           (one.why.empty() ? "" : ": " + markdown_code(one.why)) + "\n";
  for (const auto& vacuity_check : record.summary.vacuity_checks)
    if (vacuity_check.judged && !vacuity_check.held)
      out += "- gate failed: " + markdown_code(vacuity_check.name) + "\n";
  if (!record.summary.vacuity_checks.empty() && !record.summary.vacuity_checks.front().judged)
    out += "- vacuity checks not judged: the run was too short\n";
  return out.empty() ? "" : out + "\n";
}

std::string observations_of(const RunRecord& record) {
  if (record.summary.observations.empty()) return "";
  std::string out = "Observed, and no defect:\n\n";
  for (const runner::Observed& observed : record.summary.observations) {
    out += "- " + markdown_code(observed.observation.webhook + " " + observed.observation.because) + ", in " +
           plural(observed.cases, "Case", "Cases") + "\n";
  }
  return out + "\n";
}

std::string history_of(const RunRecord& record) {
  if (record.history.empty()) return "";
  std::string out =
      "| history | property | subject | first seen | last seen | runs |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const PastFinding& past : record.history) {
    out += row({state_word(past.state), markdown_cell(past.property), markdown_cell(past.subject),
                markdown_cell(past.first_seen), markdown_cell(past.last_seen), std::to_string(past.runs)});
  }
  return out + "\n";
}

std::string write_markdown(const RunRecord& record) {
  std::string out = "## fixpoint: " + verdict_of(record) + "\n\n";
  for (const std::string& subject : record.subjects)
    out += (subject == record.subjects.front() ? "" : ", ") + markdown_code(subject);
  out += ". Seed " + markdown_code(record.seed) + ", " + std::to_string(record.summary.cases) + " Cases.\n\n";
  return out + problem_table(record) + findings_of(record) + failures_of(record) + observations_of(record) +
         history_of(record);
}

}  // namespace

extern constinit const Format kMarkdown = {"markdown", "for a pull request", write_markdown};

}  // namespace fixpoint::reports
