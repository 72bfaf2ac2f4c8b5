#include <algorithm>
#include <cstdio>

#include "harness/document/printable.h"
#include "reports/stranger_scores.h"

namespace fixpoint::reports {

namespace {

/// Returns a percentage: "12.5%"; "none" if the whole is 0.
std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "none";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

std::string ratio(std::int64_t part, std::int64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

struct Totals {
  std::int64_t wrong = 0, found_always = 0, wrong_runs = 0, found_runs = 0;
  std::int64_t right = 0, right_runs = 0, alarmed_runs = 0, alarms = 0, errors = 0;
  std::int64_t run = 0, acted_in_half = 0, no_verdict = 0, not_run = 0;
  /// Medians of the wrong strangers.
  std::vector<std::int64_t> findings = {}, problems = {}, milliseconds = {};
  std::int64_t most_findings = 0, most_problems = 0, slowest = 0;
};

void add(Totals& totals, const StrangerScore& score) {
  if (!score.not_run.empty()) {
    ++totals.not_run;
    return;
  }
  ++totals.run;
  totals.acted_in_half += 2 * score.acted >= score.cases && score.cases > 0 ? 1 : 0;
  totals.no_verdict += score.no_verdict;
  if (score.is_right) {
    ++totals.right;
    totals.right_runs += score.runs;
    totals.alarmed_runs += score.alarmed_runs;
    totals.alarms += score.false_alarms();
    for (const ReportedItem& one : score.unexpected) totals.errors += one.severity == "error" ? one.runs : 0;
    return;
  }
  ++totals.wrong;
  totals.wrong_runs += score.runs;
  totals.found_runs += score.found;
  totals.found_always += score.found == score.runs ? 1 : 0;
  if (score.findings.worst > 0) totals.findings.push_back(score.findings.median);
  if (score.problems.worst > 0) totals.problems.push_back(score.problems.median);
  if (score.found > 0) totals.milliseconds.push_back(score.milliseconds.median);
  totals.most_findings = std::max(totals.most_findings, score.findings.worst);
  totals.most_problems = std::max(totals.most_problems, score.problems.worst);
  totals.slowest = std::max(totals.slowest, score.milliseconds.worst);
}

std::string totals_text(const StrangerBoard& board) {
  Totals totals;
  for (const StrangerScore& score : board.strangers) add(totals, score);
  const auto line = [](const std::string& what, const std::string& figure) {
    return "| " + what + " | " + figure + " |\n";
  };
  return "| all in all | |\n| --- | --- |\n" +
         line("wrong ones found in every run", share_text(totals.found_always, totals.wrong)) +
         line("runs of a wrong one that found it (recall)",
              share_text(totals.found_runs, totals.wrong_runs) + ", " +
                  percent(totals.found_runs, totals.wrong_runs)) +
         line("seconds until then, median of the wrong ones and slowest",
              in_seconds(Spread{spread_of(totals.milliseconds).median, totals.slowest})) +
         line("findings for one defect, median of the wrong ones and most",
              spread_text({spread_of(totals.findings).median, totals.most_findings})) +
         line("problems for one defect, median of the wrong ones and most",
              spread_text({spread_of(totals.problems).median, totals.most_problems})) +
         line("runs of a right one with a false alarm", share_text(totals.alarmed_runs, totals.right_runs) +
                                                            ", " +
                                                            percent(totals.alarmed_runs, totals.right_runs)) +
         line("false alarms", std::to_string(totals.alarms) + ", " + ratio(totals.alarms, totals.right_runs) +
                                  " a run; of severity error " + std::to_string(totals.errors)) +
         line("strangers that acted in half of their Cases", share_text(totals.acted_in_half, totals.run)) +
         line("runs without a verdict", std::to_string(totals.no_verdict)) +
         line("strangers that were not run", std::to_string(totals.not_run));
}

std::vector<std::string> cells_of(const StrangerScore& score) {
  const std::string kind = score.is_right ? "right" : "wrong";
  if (!score.not_run.empty()) return {score.name, kind, "", "not run: " + score.not_run, "", "", "", ""};
  const std::string acted = percent(score.acted, score.cases);
  if (score.is_right) return {score.name, kind, acted, "", "", "", "", std::to_string(score.false_alarms())};
  return {score.name,
          kind,
          acted,
          std::to_string(score.found) + "/" + std::to_string(score.runs),
          score.found == 0 ? "" : in_seconds(score.milliseconds),
          spread_text(score.findings),
          spread_text(score.problems),
          ""};
}

/// Returns a table whose columns are as wide as their widest cell, so that it is readable as plain text.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  const auto add_row = [&](const auto& cell_of) {
    text += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell = cell_of(i);
      text += " " + cell + std::string(widths[i] - cell.size(), ' ') + " |";
    }
    text += "\n";
  };
  for (std::size_t number = 0; number < rows.size(); ++number) {
    add_row([&](std::size_t i) { return rows[number][i]; });
    if (number == 0) add_row([&](std::size_t i) { return std::string(widths[i], '-'); });
  }
  return text;
}

/// Returns a section with a line for each chosen finding or observation of the strangers; empty if there are
/// none.
template <class Chosen>
std::string section(const StrangerBoard& board, const std::string& title, const Chosen& chosen) {
  std::string text;
  for (const StrangerScore& score : board.strangers) {
    for (const ReportedItem& one : chosen(score)) {
      text += "- " + score.name + ": " + (one.severity == "observation" ? "" : one.severity + " ") +
              one.property + (one.webhook.empty() ? "" : " in " + document::printable(one.webhook)) +
              ", in " + share_text(one.runs, score.runs) + " runs: " + document::printable(one.because) +
              "\n";
    }
  }
  return text.empty() ? "" : "\n## " + title + "\n\n" + text;
}

std::string complaints_text(const StrangerBoard& board) {
  std::string text;
  for (const StrangerScore& score : board.strangers) {
    for (const std::string& complaint : score.complaints)
      text += "- " + score.name + ": " + document::printable(complaint) + "\n";
  }
  return text.empty() ? "" : "\n## Without a verdict\n\n" + text;
}

}  // namespace

std::string stranger_board_text(const StrangerBoard& board) {
  const std::vector<ReportedItem> none;
  std::vector<std::vector<std::string>> rows{
      {"stranger", "", "acted", "found", "after s", "findings", "problems", "false alarms"}};
  for (const StrangerScore& score : board.strangers) rows.push_back(cells_of(score));
  return "# Strangers\n\nSmall webhooks that run as processes, of which fixpoint knows the configuration and "
         "the program alone. Each is put to\nthe test as `fixpoint fuzz` does it, for " +
         board.bound + ", once a seed (" + std::to_string(board.seeds) +
         "). A wrong one is found when one of the properties\nthat its row in catalog.yaml names tells so; a "
         "right one is to be left alone. Two figures are the median and the worst.\n\n" +
         totals_text(board) + "\n" + table_text(rows) +
         section(board, "False alarms",
                 [&](const StrangerScore& score) { return score.is_right ? score.unexpected : none; }) +
         section(board, "Other findings on wrong ones",
                 [&](const StrangerScore& score) { return score.is_right ? none : score.unexpected; }) +
         section(board, "Observations", [](const StrangerScore& score) { return score.observations; }) +
         complaints_text(board);
}

}  // namespace fixpoint::reports
