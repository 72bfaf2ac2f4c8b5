#include "harness/document/printable.h"
#include "reports/earlier_problem.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

std::string past_text(const PastFinding& past) {
  return "  " + past.fingerprint + "  " + state_word(past.state) + "  " +
         document::printable(past.property) + "  " + document::printable(past.subject) + "  first seen " +
         document::printable(past.first_seen) + ", last seen " + document::printable(past.last_seen) +
         ", in " + std::to_string(past.runs) + (past.runs == 1 ? " run" : " runs") + "\n";
}

/// Returns two lines for each problem: its title, then its evidence and its repair.
std::string problems_text(const RunRecord& record) {
  std::string text;
  for (const cases::Problem& problem : problems_of(record)) {
    const std::string state = state_word(problem, record);
    text += (text.empty() ? "\nproblems\n  " : "  ") + problem.id + "  " + problem.severity +
            (state.empty() ? "" : ", " + state) + ": " +
            document::printable(problem.part + " " + problem.title) + "\n      " +
            plural(problem.findings.size(), "finding", "findings");
    if (const std::string proof = proof_of(problem); !proof.empty())
      text += "; repair: " + document::printable(proof);
    text += "\n";
  }
  return text;
}

std::string write_text(const RunRecord& record) {
  std::string text = document::printable(headline_of(record)) + "\n";
  text += "fixpoint " + document::printable(record.version) + ", seed " + document::printable(record.seed);
  for (const std::string& subject : record.subjects)
    text += (subject == record.subjects.front() ? ", of " : ", ") + document::printable(subject);
  text += "\n";
  for (const auto& regression : record.regressions)
    text += "regression " + document::printable(regression.file) + ": " +
            document::printable(regression.answer) + "\n";
  for (const EarlierProblem& one : earlier_problems_of(record.retries, problems_of(record)))
    text += document::printable(text_of(one)) + "\n";
  text += problems_text(record);
  for (const RecordedFinding& recorded : record.findings) {
    text +=
        "\n" + finding_text(recorded.finding, document::printable(replay_command(record, recorded.finding)));
    if (!recorded.state.empty()) text += "  state: " + state_word(recorded.state) + "\n";
  }
  if (!record.notes.empty()) text += "\n";
  for (const cases::Finding& note : record.notes) text += note_text(note);
  runner::RunSummary summary = record.summary;
  for (const RecordedFinding& recorded : record.findings) summary.findings.push_back(recorded.finding);
  summary.notes = record.notes;
  if (record.complete) text += "\n" + summary_text(summary);
  if (!record.summary.observations.empty()) text += "\n" + observations_text(record.summary);
  if (!record.history.empty()) text += "\nhistory\n";
  for (const PastFinding& past : record.history) text += past_text(past);
  return text;
}

}  // namespace

extern constinit const Format kText = {"text", "for a terminal", write_text};

}  // namespace fixpoint::reports
