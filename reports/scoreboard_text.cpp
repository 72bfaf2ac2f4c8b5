#include <algorithm>

#include "reports/scoreboard.h"

namespace fixpoint::reports {

namespace {

std::string names(const std::map<std::string, std::int64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::string row(const BugScore& bug) {
  const std::string size = spread_text(bug.size) + (bug.is_sequence ? " commands" : "");
  const std::string cells[] = {bug.name,
                               bug.property,
                               names(bug.verdicts),
                               std::to_string(bug.found) + "/" + std::to_string(bug.seeds),
                               spread_text(bug.cases),
                               in_seconds(bug.milliseconds),
                               size,
                               bug.is_sequence ? "" : spread_text(bug.webhooks),
                               bug.problems == 0 ? "" : std::to_string(bug.problems),
                               bug.repair,
                               std::to_string(bug.false_alarms)};
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

struct Totals {
  std::size_t always = 0, shared = 0;
  std::int64_t slowest_median = 0, slowest = 0, largest = 0, most_webhooks = 0, silent = 0, alarms = 0,
               fully = 0, counted = 0, one_problem = 0, few_problems = 0;
};

Totals totals_of(const std::vector<BugScore>& bugs) {
  Totals totals;
  for (const BugScore& bug : bugs) {
    totals.always += bug.found == bug.seeds ? 1 : 0;
    totals.slowest_median = std::max(totals.slowest_median, bug.milliseconds.median);
    totals.slowest = std::max(totals.slowest, bug.milliseconds.worst);
    if (!bug.is_sequence) totals.largest = std::max(totals.largest, bug.size.worst);
    totals.most_webhooks = std::max(totals.most_webhooks, bug.webhooks.worst);
    totals.silent += bug.silent_cases;
    totals.fully += bug.silent_fully_asked;
    totals.alarms += bug.false_alarms;
    totals.counted += bug.problems > 0 ? 1 : 0;
    totals.one_problem += bug.problems == 1 ? 1 : 0;
    totals.few_problems += bug.problems > 1 && bug.problems <= kProblemsOfDefectMax ? 1 : 0;
  }
  return totals;
}

std::string totals_text(const Scoreboard& board) {
  const Totals totals = totals_of(board.bugs);
  const auto line = [](const std::string& what, const std::string& figure) {
    return "| " + what + " | " + figure + " |\n";
  };
  const std::string all = std::to_string(board.bugs.size());
  return "| all in all | |\n| --- | --- |\n" +
         line("bugs found in every seed", std::to_string(totals.always) + " of " + all) +
         line("slowest median, slowest of all",
              in_seconds(totals.slowest_median) + " s, " + in_seconds(totals.slowest) + " s") +
         line("largest shrunk Pod", std::to_string(totals.largest) + " values") +
         line("most webhooks in a shrunk chain", std::to_string(totals.most_webhooks)) +
         line("planted defects that are one problem, two, more",
              std::to_string(totals.one_problem) + ", " + std::to_string(totals.few_problems) + ", " +
                  std::to_string(totals.counted - totals.one_problem - totals.few_problems)) +
         line("false alarms", std::to_string(totals.alarms) + " in " + grouped(totals.silent) + " Cases, " +
                                  grouped(totals.fully) + " of them with all properties");
}

}  // namespace

std::string scoreboard_text(const Scoreboard& board) {
  std::string text =
      "# Scoreboard\n\nHow well fixpoint finds bugs that are known: defects planted in small webhooks, and "
      "failures of KServe releases\nthat a later release fixed. Each is put to the test as `fixpoint fuzz` "
      "does it, once a seed, until the expected\nproperty has found it, or an observation of the expected "
      "kind names it; then its fixed variant, on which nothing\nmay be found (of a release: not this "
      "failure).\n\n";
  text += "Written by `fixpoint bench bugs --seeds " + std::to_string(board.seeds) + " --silence " +
          std::to_string(board.silence) + " --save`.\n\n" + totals_text(board);
  text +=
      "\n## Bugs\n\nTwo figures are the median and the worst of all seeds. Cases and seconds (of one core) "
      "run until the finding is\nshrunk and printed; values are the scalars of the smallest Pod that shows "
      "it, webhooks those of its chain. Problems\nare what a longer run groups all findings into, and the "
      "repair is the one that heals most of them.\n\n"
      "| bug | found by | verdict | seeds | Cases | seconds | values | webhooks | problems | repair | "
      "false alarms |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const BugScore& bug : board.bugs) text += row(bug);
  return text;
}

}  // namespace fixpoint::reports
