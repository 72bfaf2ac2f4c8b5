#include "reports/first_screen.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "harness/cases/kind_words.h"
#include "harness/cases/redaction.h"
#include "harness/document/joined.h"
#include "harness/document/printable.h"
#include "harness/document/shell_word.h"
#include "harness/document/yaml.h"
#include "harness/runner/shrink_finding.h"
#include "reports/problem_view.h"
#include "reports/published_defects.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

constexpr std::size_t kLinesMax = 36, kColumns = 100;

std::string printable_lines(const std::string& text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    out += document::printable(text.substr(from, to - from)) + "\n";
    from = to + 1;
  }
  return out;
}

std::string line(const std::string& text) { return cut_columns(document::printable(text), kColumns) + "\n"; }

/// Returns the text in lines of kColumns at most, the later ones indented; a word is cut only if it alone is
/// longer.
std::string wrapped(const std::string& text) {
  constexpr std::string_view kIndent = "       ";
  std::string out, rest = document::printable(text);
  while (rest.size() > kColumns) {
    const auto blank = rest.rfind(' ', kColumns);
    const auto first = rest.find_first_not_of(' ');
    if (blank == std::string::npos || blank <= first) break;
    out += rest.substr(0, blank) + "\n";
    rest = std::string(kIndent) + rest.substr(blank + 1);
  }
  return out + cut_columns(rest, kColumns) + "\n";
}

/// Problems that are reported in one line.
using Row = std::vector<cases::Problem>;

std::string properties_of(const Row& row, const std::vector<cases::Finding>& findings) {
  std::set<std::string> names;
  for (const cases::Problem& problem : row)
    for (const cases::Finding& finding : findings)
      if (std::ranges::find(problem.findings, finding.fingerprint) != problem.findings.end())
        names.insert(finding.property);
  return document::joined(names);
}

std::size_t findings_of(const Row& row) {
  std::size_t sum = 0;
  for (const cases::Problem& problem : row) sum += problem.findings.size();
  return sum;
}

/// Returns the expression that failed, if the problem is one of an expression.
std::string excerpt_of(const cases::Problem& problem, const std::vector<cases::Finding>& findings) {
  for (const cases::Finding& finding : findings)
    if (finding.fingerprint == problem.findings.front()) return excerpt_text(finding);
  return {};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Returns the finding of a problem that shows it best, without secrets.
cases::Finding telling_finding(const FirstScreen& screen, const cases::Problem& problem) {
  std::vector<cases::Finding> members;
  for (const cases::Finding& finding : screen.summary.findings)
    if (std::ranges::find(problem.findings, finding.fingerprint) != problem.findings.end())
      members.push_back(finding);
  return cases::redacted(telling_of(members));
}

/// The amount of detail for each problem.
struct Detail {
  bool names_part = true;   ///< several parts have problems
  bool has_repairs = true;  ///< repairs and failed expressions have lines of their own
};

/// Returns the word for a problem's state; a stored regression is named.
std::string state_of(const std::string& known) {
  const std::string word(cases::state_word(known));
  return word == "KNOWN" ? word + " (" + known + ")" : word;
}

/// Returns the states of the problems of a row: NEW, or "5 STILL, 1 NEW".
std::string states_of(const FirstScreen& screen, const Row& row) {
  std::map<std::string, std::size_t, std::greater<>> count;
  for (const cases::Problem& problem : row) ++count[state_of(cases::known_as(problem, screen.known))];
  if (count.size() == 1) return count.begin()->first;
  std::string text;
  for (const auto& [state, many] : count)
    text += (text.empty() ? "" : ", ") + std::to_string(many) + " " + state;
  return text;
}

/// Returns the places of the problems with their ids, in lines.
std::string list_of(const Row& row) {
  std::string text = "      ";
  for (const cases::Problem& problem : row)
    text += " " + problem.place + " (" + problem.id + ")" + (&problem == &row.back() ? "" : ",");
  return wrapped(text);
}

/// Returns the lines that show the worst problem at a glance.
std::string example_of(const FirstScreen& screen, const cases::Problem& problem) {
  return example_lines(telling_finding(screen, problem), kColumns);
}

std::string error_lines(const FirstScreen& screen, const Row& row, const Detail& detail,
                        const std::string& example) {
  const cases::Problem& first = row.front();
  const std::string proof = row.size() == 1 || !example.empty() ? proof_of(first) : "";
  const std::string name = row.size() == 1 ? first.id : plural(row.size(), "problem", "problems");
  const std::string more = "       " + name + ", " + states_of(screen, row) + ": " +
                           plural(findings_of(row), "finding", "findings") + " of " +
                           properties_of(row, screen.summary.findings);
  return wrapped("ERROR  " + (detail.names_part ? first.part + " " : "") + cases::title_of_row(row)) +
         line(more) + (detail.has_repairs && row.size() > 1 ? list_of(row) : "") + example +
         (detail.has_repairs || !example.empty() ? excerpt_of(first, screen.summary.findings) : "") +
         ((detail.has_repairs || !example.empty()) && !proof.empty() ? line("       repair: " + proof) : "");
}

/// Returns the lines of problems with severity warning.
std::string warning_lines(const FirstScreen& screen, const Row& row, const Detail& detail,
                          const std::string& example) {
  const std::string name = row.size() == 1 ? row.front().id : plural(row.size(), "problem", "problems");
  return wrapped("WARN   " + name + ", " + states_of(screen, row) + ": " +
                 (detail.names_part ? row.front().part + " " : "") + cases::title_of_row(row)) +
         (detail.has_repairs && row.size() > 1 ? list_of(row) : "") + example;
}

/// A list of as many rows as fit into the available lines.
struct ProblemList {
  std::string text = {};
  std::size_t shown = 0;
};
ProblemList list_of(const FirstScreen& screen, const std::vector<Row>& rows, const Detail& detail,
                    std::size_t lines_left) {
  ProblemList list;
  for (const Row& row : rows) {
    const std::string example = list.shown == 0 ? example_of(screen, row.front()) : "";
    const std::string text = row.front().severity == "error" ? error_lines(screen, row, detail, example)
                                                             : warning_lines(screen, row, detail, example);
    if (lines_of(text) > lines_left) break;
    lines_left -= lines_of(text);
    list.text += text;
    ++list.shown;
  }
  return list;
}

std::string head(const FirstScreen& screen, const std::vector<cases::Problem>& problems) {
  const runner::RunSummary& summary = screen.summary;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.0f s", summary.seconds);
  std::string acted;
  if (summary.acted.size() == 1) {
    const runner::Acted& one = summary.acted.begin()->second;
    acted = ", acted in " + percent(one.acted, one.acted + one.no_effect);
    if (one.refused > 0) acted += " (" + percent(one.refused, one.acted + one.no_effect) + " refused)";
  }
  const std::string who = screen.subjects.size() > 2 ? plural(screen.subjects.size(), "subject", "subjects")
                                                     : document::joined(screen.subjects);
  const std::string what = "seed " + screen.seed + ", " + plural(summary.cases, "Case", "Cases") + " in " +
                           seconds + ", stopped by " + summary.why + acted;
  const bool is_long = who.size() + what.size() + 2 > kColumns;
  std::string out = is_long ? line(who + ":") + line("  " + what) : line(who + ": " + what);
  std::size_t errors = 0, known = 0;
  for (const cases::Problem& problem : problems) {
    errors += problem.severity == "error" ? 1 : 0;
    known += cases::known_as(problem, screen.known).empty() ? 0 : 1;
  }
  out += kinds_text(summary);
  if (problems.empty()) return out;
  return out +
         line(plural(problems.size(), "problem", "problems") + ": " + plural(errors, "error", "errors") +
              ", " + plural(problems.size() - errors, "warning", "warnings") + "; " +
              std::to_string(problems.size() - known) + " new, " + std::to_string(known) + " known");
}

/// Returns the message with which a subject refused most often, if nearly all its actions were refusals: it
/// shows what the Pods lack.
std::string refusals(const runner::RunSummary& summary) {
  std::string out;
  for (const auto& [subject, counts] : summary.acted) {
    if (counts.refused * 10 < counts.acted * 9 || counts.denials.empty()) continue;
    const auto most = std::max_element(counts.denials.begin(), counts.denials.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    out += line(subject + " refused " + std::to_string(counts.refused) + " Cases and changed " +
                std::to_string(counts.acted - counts.refused) + ", most often with:");
    out += line("  " + most->first);
  }
  return out;
}

/// Returns the properties that were checked often but rarely decided, so that the lack of violations proves
/// little.
std::string seldom_reached(const runner::RunSummary& summary) {
  std::vector<std::string> names;
  for (const auto& [name, tally] : summary.properties) {
    const std::uint64_t could = tally.asked - tally.not_applicable;
    if (could > 0 && 10 * (tally.held + tally.violated) < could) names.push_back(name);
  }
  return names.empty() ? ""
                       : line("seldom reached: " + document::joined(names)) +
                             "  (an --example on which the webhook acts makes Cases reach more)\n";
}

/// Returns the replay command on one line, however long, because the user copies it.
std::string replay_line(const FirstScreen& screen, const std::string& fingerprint) {
  std::string text = "replay: " + screen.program + " replay " +
                     document::shell_word(screen.folder + "/findings/" + fingerprint + ".json");
  for (const cases::Finding& finding : screen.summary.findings)
    if (finding.fingerprint == fingerprint && screen.replay_flags) text += screen.replay_flags(finding);
  return text;
}

/// Returns a line with the counts of the regressions, and the names of those whose results changed.
std::string replayed_lines(const Replayed& replayed) {
  if (replayed.all == 0) return "";
  std::string text = "regressions: " + std::to_string(replayed.failing) + " of " +
                     std::to_string(replayed.all) + " still fail";
  if (!replayed.fixed.empty()) text += ", " + std::to_string(replayed.fixed.size()) + " fixed";
  std::string out = line(text);
  const auto list = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) out += line(std::string("  ") + what + document::joined(names));
  };
  list("fixed: ", replayed.fixed);
  list("fails again: ", replayed.again);
  return out;
}

/// Returns a line about a webhook that answers so slowly that the clock ended the run before much was asked.
std::string pace_line(const runner::RunSummary& summary) {
  constexpr std::uint64_t kCasesOfAVerdict = 1000;
  if (summary.pace.empty() || summary.why != "time" || summary.cases >= kCasesOfAVerdict) return "";
  return line("slow: " + summary.pace + "; --time 10m asks more");
}

/// Returns a line with the kinds of what was observed: a user may know one of them for the bug that he looks
/// for.
std::string observed_line(const runner::RunSummary& summary) {
  std::vector<std::string> kinds;
  for (const runner::Observed& one : summary.observations) kinds.push_back(one.observation.kind);
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  if (kinds.empty()) return "";
  return line("observed, and no defect: " + document::joined(kinds) + " (--all prints what)");
}

std::string below(const FirstScreen& screen, const std::vector<cases::Problem>& problems) {
  const runner::RunSummary& summary = screen.summary;
  const auto missing = runner::missing_verdicts(summary);
  std::string out;
  if (problems.empty()) out += missing.empty() ? "nothing found\n" : "no verdict\n";
  for (const std::string& sentence : missing) out += line("NO VERDICT: " + sentence);
  if (!missing.empty() && problems.empty()) out += advice_without_verdict(summary);
  for (const std::string& what : summary.not_simulated)
    out += line("not simulated: " + what + "; a server may answer otherwise");
  for (const EarlierProblem& one : screen.earlier_problems) out += line(text_of(one));
  out += replayed_lines(screen.regressions);
  out += pace_line(summary);
  out += observed_line(summary);
  if (missing.empty()) out += refusals(summary);
  if (problems.empty()) out += seldom_reached(summary);
  const bool has_errors =
      std::any_of(problems.begin(), problems.end(), [](const auto& one) { return one.severity == "error"; });
  for (const runner::VacuityCheck& check : summary.vacuity_checks)
    if (!has_errors && check.judged && !check.held) out += line("never seen: " + check.name);
  const std::string report = screen.program + " report " + screen.folder;
  if (!problems.empty()) {
    out += "\n" + line("look:   " + screen.program + " explain " + problems.front().id + " --run " +
                       document::shell_word(screen.folder));
    const std::string shown = telling_finding(screen, problems.front()).fingerprint;
    out += document::printable(replay_line(screen, shown)) + "\n";
  }
  out += line("read:   " + report + " --format html > report.html");
  if (!problems.empty())
    out += line("accept: " + screen.program + " gate --accept " + document::shell_word(screen.folder) +
                " --all --reason WHY --until DAY");
  return out;
}

/// Returns the address of the first public number: owner/project#NUMBER.
std::string address_of(std::string_view published) {
  const std::string_view first = published.substr(0, published.find(','));
  const auto hash = first.find('#');
  return "https://github.com/" + std::string(first.substr(0, hash)) + "/issues/" +
         std::string(hash == std::string_view::npos ? std::string_view() : first.substr(hash + 1));
}

}  // namespace

std::string first_screen(const FirstScreen& screen) {
  std::vector<cases::Problem> problems = screen.problems;
  std::stable_sort(problems.begin(), problems.end(), [&](const cases::Problem& a, const cases::Problem& b) {
    const auto rank = [&](const cases::Problem& one) {
      // Problems that lead by their harm come first, known or not, then those that a project has published.
      const std::string known = cases::known_as(one, screen.known);
      return std::tuple(one.severity != "error", one.rank != 0, cases::published_as(known).empty(),
                        !known.empty());
    };
    return rank(a) < rank(b);
  });
  const std::string top = head(screen, problems), bottom = below(screen, problems);
  const std::size_t left = kLinesMax - std::min(kLinesMax, lines_of(top) + lines_of(bottom) + 3);
  const bool names_part = std::any_of(problems.begin(), problems.end(), [&](const cases::Problem& one) {
    return one.part != problems.front().part;
  });
  const std::vector<Row> rows = cases::rows_of(problems);
  ProblemList list = list_of(screen, rows, {.names_part = names_part}, left);
  if (list.shown < rows.size())
    list = list_of(screen, rows, {.names_part = names_part, .has_repairs = false}, left);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < list.shown; ++i) shown += rows[i].size();
  if (shown < problems.size())
    list.text += line("… and " + plural(problems.size() - shown, "problem", "problems") +
                      " more: " + screen.program + " report " + screen.folder + " --format text");
  const bool ends_blank = bottom.starts_with('\n');
  return top + (list.text.empty() ? "" : "\n" + list.text + (ends_blank ? "" : "\n")) + bottom;
}

std::string resume_line(const FirstScreen& screen) {
  if (screen.summary.why != "interrupted") return "";
  return document::printable("resume: " + screen.program + " fuzz --resume " +
                             document::shell_word(screen.folder) + screen.resume_flags) +
         "\n";
}

std::string problem_text(const cases::Problem& problem, const std::vector<cases::Finding>& findings,
                         const properties::Catalog& catalog, std::string_view published) {
  const cases::Finding& smallest = telling_of(findings);
  const std::string excerpt = excerpt_text(smallest);
  std::string out = problem.part + " " + problem.title + "\n\n" + excerpt + (excerpt.empty() ? "" : "\n");
  const std::string kind = kind_of_subject(smallest);
  out += "  problem   " + problem.id + ", " + problem.severity + "\n  place     " + problem.place + "\n  " +
         kind + std::string(10 - kind.size(), ' ') + problem.webhook + "\n  found by  ";
  std::map<std::string, std::size_t> count;
  for (const cases::Finding& finding : findings) ++count[finding.property];
  std::string separator;
  for (const auto& [name, many] : count) {
    out += separator + name + " (" + std::to_string(many) + ")";
    separator = ", ";
  }
  out += "\n  subjects  " + document::joined(problem.subjects) + "\n";
  if (const std::string proof = proof_of(problem); !proof.empty()) out += "  repair    " + proof + "\n";
  if (const auto* more = catalog.explanation_of(smallest.property)) {
    const auto said = [&](std::string_view text) {
      return cases::said_of(smallest.value.request, std::string(text));
    };
    out += "\nIn a cluster\n  " + said(more->matters) + "\n";
    if (!problem.repair) out += "\nUsual fix\n  " + said(more->fix) + "\n";
  }
  if (!published.empty())
    out += "\nPublished\n  " + std::string(published) + "\n  " + address_of(published) + "\n";
  else if (const PublishedDefect* other = similar_defect(problem))
    out += "\nElsewhere\n  " + std::string(other->project) +
           " had one like it: " + std::string(other->sentence) + "\n  https://github.com/" +
           std::string(other->project) + "/issues/" + std::to_string(other->number) + "\n";
  const document::Value shown =
      smallest.sequence ? cases::write_sequence(*smallest.sequence) : cases::write_case(smallest.value);
  out += "\nSmallest " + std::string(smallest.sequence ? "Sequence" : "Case") + "\n\n";
  return printable_lines(out) + printable_lines(document::write_yaml(shown));
}

}  // namespace fixpoint::reports
