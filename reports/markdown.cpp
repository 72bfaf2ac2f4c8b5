#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/runner/replay_answer.h"
#include "reports/earlier_problem.h"
#include "reports/escape.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// The whole report has fewer lines than this, so that a pull request's comment is read; what does not fit
/// stands in the run's folder.
constexpr std::size_t kLinesMax = 60;
constexpr std::size_t kRowsMax = 12, kFailuresMax = 8, kDetailColumns = 160;

std::string row(std::initializer_list<std::string> cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

/// Returns a problem in lines that a click opens: its object, the calls, and how to replay it.
std::string details_of(const ProblemView& view, const RunRecord& record) {
  const cases::Finding& finding = view.smallest();
  return "<details><summary>" + xml_text(view.problem.part + " " + view.problem.title) + "</summary>\n\n" +
         markdown_block(unindented_example(finding, kDetailColumns), "text") +
         "\nReplay: " + markdown_code(replay_command(record, finding)) + "\n\n</details>\n\n";
}

std::string problem_table(const RunRecord& record, const std::vector<ProblemView>& views) {
  std::vector<cases::Problem> problems;
  for (const ProblemView& view : views) problems.push_back(view.problem);
  if (problems.empty()) return "";
  const auto rows = cases::rows_of(problems);
  std::string out = "| | problem | findings | repair | id |\n| --- | --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < rows.size() && i < kRowsMax; ++i) {
    const std::vector<cases::Problem>& one = rows[i];
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
  out += "\n";
  if (rows.size() > kRowsMax)
    out += "And " + plural(rows.size() - kRowsMax, "row", "rows") + " more in the run's folder.\n\n";
  return out;
}

/// Returns the text, of which the lines beyond so many are counted.
std::string first_lines(const std::string& text, std::size_t lines_max) {
  std::size_t at = 0, lines = 0;
  while (lines < lines_max && at < text.size()) {
    at = text.find('\n', at) + 1;
    ++lines;
  }
  const auto more =
      static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
  return text.substr(0, at) + (more == 0 ? "" : "- and " + std::to_string(more) + " more\n");
}

std::string failures_of(const RunRecord& record) {
  std::string out;
  for (const auto& regression : record.regressions) {
    if (runner::is_fixed(regression.answer)) continue;
    out += "- regression " + markdown_code(regression.file) + ": " + markdown_code(regression.answer) + "\n";
  }
  for (const EarlierProblem& one : earlier_problems_of(record.retries, problems_of(record)))
    out += "- " + one.state + ": " + markdown_code(one.title) +
           (one.why.empty() ? "" : ": " + markdown_code(one.why)) + "\n";
  for (const auto& vacuity_check : record.summary.vacuity_checks)
    if (vacuity_check.judged && !vacuity_check.held)
      out += "- gate failed: " + markdown_code(vacuity_check.name) + "\n";
  if (!record.summary.vacuity_checks.empty() && !record.summary.vacuity_checks.front().judged)
    out += "- vacuity checks not judged: the run was too short\n";
  return out.empty() ? "" : first_lines(out, kFailuresMax) + "\n";
}

std::string observations_of(const RunRecord& record) {
  if (record.summary.observations.empty()) return "";
  std::string out;
  for (const runner::Observed& observed : record.summary.observations) {
    out += "- " + markdown_code(observed.observation.webhook + " " + observed.observation.reason) + ", in " +
           plural(observed.cases, "Case", "Cases") + "\n";
  }
  return "Observed, and no defect:\n\n" + first_lines(out, kFailuresMax) + "\n";
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
  const std::vector<ProblemView> views = views_of(record);
  std::string out = "## fixpoint: " + verdict_of(record) + "\n\n";
  for (std::size_t i = 0; i < record.subjects.size(); ++i)
    out += (i == 0 ? "" : ", ") + markdown_code(record.subjects[i]);
  out += ". Seed " + markdown_code(record.seed) + ", " + std::to_string(record.summary.cases) +
         " Cases.\n\n" + problem_table(record, views) + failures_of(record);
  auto add = [&, is_full = false](const std::string& part) mutable {
    const auto lines = std::count(out.begin(), out.end(), '\n') + std::count(part.begin(), part.end(), '\n');
    is_full = is_full || static_cast<std::size_t>(lines) >= kLinesMax;
    if (!is_full) out += part;
  };
  for (const ProblemView& view : views) add(details_of(view, record));
  if (views.empty()) add(observations_of(record));
  add(history_of(record));
  return out;
}

}  // namespace

extern constinit const Format kMarkdown = {"markdown", "for a pull request", write_markdown};

}  // namespace fixpoint::reports
