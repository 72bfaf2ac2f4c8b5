#include <algorithm>
#include <cstdio>

#include "harness/document/printable.h"
#include "harness/score/scoreboard.h"
#include "reports/escape.h"

namespace fixpoint::score {

namespace {

using Lines = std::vector<std::vector<std::string>>;

/// Returns a percentage: "12.5%"; "none" if the whole is 0.
std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "none";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

struct Totals {
  std::int64_t wrong = 0, found_always = 0, wrong_runs = 0, found_runs = 0;
  std::int64_t right = 0, alarmed = 0, alarms = 0, errors = 0, cases = 0;
  std::int64_t run = 0, acted_in_half = 0, no_verdict = 0, not_run = 0, most_problems = 0, largest = 0;
  std::vector<std::int64_t> milliseconds = {};  ///< medians
  std::int64_t slowest = 0;
};

void add(Totals& totals, const Score& score) {
  if (!score.not_run.empty()) {
    ++totals.not_run;
    return;
  }
  ++totals.run;
  totals.cases += score.cases;
  totals.acted_in_half += 2 * score.acted >= score.cases && score.cases > 0 ? 1 : 0;
  totals.no_verdict += score.no_verdict;
  totals.right += score.is_right ? 1 : 0;
  totals.alarmed += score.alarms.empty() ? 0 : 1;
  for (const ReportedItem& one : score.alarms) {
    totals.alarms += one.runs;
    totals.errors += one.severity == "error" ? one.runs : 0;
  }
  if (score.is_right) return;
  ++totals.wrong;
  totals.wrong_runs += score.runs;
  totals.found_runs += score.found;
  totals.found_always += score.found == score.runs ? 1 : 0;
  if (score.found > 0) totals.milliseconds.push_back(score.milliseconds.median);
  totals.slowest = std::max(totals.slowest, score.milliseconds.worst);
  totals.largest = std::max(totals.largest, score.size.worst);
  totals.most_problems = std::max(totals.most_problems, score.problems.worst);
}

/// Returns a table whose columns are as wide as their widest cell, so that it is readable as plain text.
/// Columns without a cell below the head are left out.
std::string table_text(const Lines& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (std::size_t row = 1; row < lines.size(); ++row)
      widths[i] = std::max(widths[i], lines[row][i].size());
    if (widths[i] > 0) widths[i] = std::max({widths[i], lines.front()[i].size(), std::size_t{3}});
  }
  std::string text;
  const auto add_row = [&](const auto& cell_of) {
    text += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string cell = cell_of(i);
      text += " " + cell + std::string(widths[i] - cell.size(), ' ') + " |";
    }
    text += "\n";
  };
  for (std::size_t number = 0; number < lines.size(); ++number) {
    add_row([&](std::size_t i) { return lines[number][i]; });
    if (number == 0) add_row([&](std::size_t i) { return std::string(widths[i], '-'); });
  }
  return text;
}

std::string totals_text(const Scoreboard& board) {
  Totals totals;
  for (const Score& score : board.scores) add(totals, score);
  Lines lines{
      {"all in all", ""},
      {"wrong ones found in every run", share_text(totals.found_always, totals.wrong)},
      {"runs of a wrong one that found it (recall)", share_text(totals.found_runs, totals.wrong_runs) + ", " +
                                                         percent(totals.found_runs, totals.wrong_runs)},
      {"seconds until then, median of the medians and slowest",
       in_seconds(Spread{spread_of(totals.milliseconds).median, totals.slowest})},
      {"most problems for one defect", std::to_string(totals.most_problems)},
      {"false alarms", std::to_string(totals.alarms) + " in " + grouped(totals.cases) +
                           " Cases; of severity error " + std::to_string(totals.errors)}};
  if (totals.largest > 0) lines.push_back({"largest shrunk Case", std::to_string(totals.largest)});
  if (totals.right > 0) {
    lines.push_back({"right ones with a false alarm", share_text(totals.alarmed, totals.right)});
    lines.push_back({"acted in half of their Cases", share_text(totals.acted_in_half, totals.run)});
    lines.push_back({"runs without a verdict", std::to_string(totals.no_verdict)});
    lines.push_back({"not run", std::to_string(totals.not_run)});
  }
  lines.front()[1] = "figure";
  return table_text(lines);
}

std::vector<std::string> cells_of(const Score& score) {
  const std::string kind = score.is_right ? "right" : score.expected.empty() ? "wrong" : "";
  if (!score.not_run.empty())
    return {score.name, kind, "", "", "not run: " + score.not_run, "", "", "", "", "", ""};
  const bool is_found = score.found > 0;
  const auto spread = [](const Spread& of) { return of.worst == 0 ? "" : spread_text(of); };
  return {score.name,
          kind,
          score.expected,
          score.acted == 0 ? "" : percent(score.acted, score.cases),
          score.is_right ? "" : std::to_string(score.found) + "/" + std::to_string(score.runs),
          spread(score.until),
          is_found ? in_seconds(score.milliseconds) : "",
          spread(score.size),
          spread(score.findings),
          spread(score.problems),
          score.alarms.empty() ? "" : std::to_string(score.alarms.size())};
}

/// Returns a section with a line for each of these items; empty if there are none.
std::string section(const Scoreboard& board, const std::string& title,
                    std::vector<ReportedItem> Score::* items) {
  std::string text;
  for (const Score& score : board.scores) {
    for (const ReportedItem& one : score.*items) {
      text += "- " + score.name + ": " + (one.severity == "observation" ? "" : one.severity + " ") +
              one.property + (one.webhook.empty() ? "" : " in " + document::printable(one.webhook)) +
              ", in " + share_text(one.runs, score.runs) + " runs: " + reports::markdown_code(one.reason) +
              "\n";
    }
  }
  return text.empty() ? "" : "\n## " + title + "\n\n" + text;
}

std::string complaints_text(const Scoreboard& board) {
  std::string text;
  for (const Score& score : board.scores) {
    for (const std::string& complaint : score.complaints)
      text += "- " + score.name + ": " + reports::markdown_code(complaint) + "\n";
  }
  return text.empty() ? "" : "\n## Without a verdict\n\n" + text;
}

constexpr const char* kBugs =
    "# Scoreboard\n\nHow well fixpoint finds bugs that are known: defects planted in small webhooks, and "
    "failures of KServe\nreleases that a later release fixed. Each is put to the test as `fixpoint fuzz` "
    "does "
    "it, once a seed, until the\nexpected property has found it, or an observation of the expected kind "
    "names "
    "it; then its fixed variant, on which\nnothing may be found (of a release: not this failure).";
constexpr const char* kStrangers =
    "# Strangers\n\nSmall webhooks that run as processes, of which fixpoint knows the configuration and the "
    "program alone. Each\nis put to the test as `fixpoint fuzz` does it, once a seed. A wrong one is found "
    "when one of the properties that\nits row in catalog.yaml names tells so; a right one is to be left "
    "alone.";

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  Lines lines{{board.family == "bugs" ? "bug" : "stranger", "", "found by", "acted", "found", "Cases",
               "seconds", "size", "findings", "problems", "alarms"}};
  for (const Score& score : board.scores) lines.push_back(cells_of(score));
  return std::string(board.family == "bugs" ? kBugs : kStrangers) + "\n\nBound of a run: " + board.bound +
         "; seeds: " + std::to_string(board.seeds) +
         ".\nTwo figures are the median and the worst. Cases and seconds run until the finding; the size is "
         "that of the shrunk Case,\nin leaves of its Pod or commands.\n\n" +
         totals_text(board) + "\n" + table_text(lines) + section(board, "False alarms", &Score::alarms) +
         section(board, "Other findings on wrong ones", &Score::others) +
         section(board, "Observations", &Score::observations) + complaints_text(board);
}

}  // namespace fixpoint::score
