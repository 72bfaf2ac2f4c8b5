#include <unistd.h>

#include <cstdio>

#include "harness/program/corpus_files.h"
#include "harness/program/gate_run.h"
#include "harness/program/interrupt.h"
#include "harness/program/output_file.h"
#include "harness/program/program.h"
#include "harness/program/record.h"
#include "harness/program/run_folder.h"
#include "harness/program/run_history.h"
#include "reports/escape.h"
#include "reports/events.h"
#include "reports/formats.h"
#include "reports/text.h"

namespace fixpoint::program {

using document::Error;

namespace {

constexpr std::size_t kHeadlinesMax = 5;  ///< in the first line; all stand below it

/// Why, in one line.
std::string why_of(const GateVerdict& verdict) {
  std::string why;
  for (std::size_t i = 0; i < verdict.problems.size() && i < kHeadlinesMax; ++i)
    why += (i == 0 ? "" : "; ") + verdict.problems[i].headline;
  if (verdict.problems.size() > kHeadlinesMax)
    why += "; and " + std::to_string(verdict.problems.size() - kHeadlinesMax) + " more";
  return why;
}

/// The gate as the events of a run, so that `report` reads its folder like any other.
std::optional<Error> write_events(RunFolder& folder, const Policy& policy, const GateVerdict& verdict) {
  const reports::RunRecord& record = verdict.record;
  runner::RunOptions run;
  run.seed = policy.seeds.front();
  run.subject_names = record.subjects;
  std::vector<Value> events{reports::start_event(run, FIXPOINT_VERSION)};
  for (const auto& answer : record.regressions)
    events.push_back(reports::regression_event(answer.file, answer.answer));
  for (const auto& recorded : record.findings) events.push_back(reports::finding_event(recorded.finding));
  for (const auto& gate : record.summary.gates) events.push_back(reports::gate_event(gate));
  events.push_back(reports::stop_event(record.summary));
  for (const Value& event : events)
    if (auto problem = folder.append(event)) return problem;
  for (const auto& recorded : record.findings) {
    const auto saved = folder.save(recorded.finding);
    if (!saved) return saved.error();
  }
  return folder.finish(events.back());
}

struct GateFlags {
  std::string config = "fixpoint.yaml";
  GateOptions gate = {.today = today(), .out = "run/gate"};
  std::string markdown = {}, history = {};
  OutsideOptions outside = {};
  std::vector<std::string> reports = {};
  bool quiet = false;
};

/// Everything that a gate leaves behind, after its verdict stands. Reports are made of what was written down,
/// with values hidden as in those of any run.
std::optional<Error> write_all(const GateFlags& flags, const Policy& policy, GateVerdict& verdict,
                               RunFolder& folder, const std::vector<ReportOrder>& orders) {
  if (auto problem = write_events(folder, policy, verdict)) return problem;
  auto shown = read_run(flags.gate.out, {.resolve = bundled()});
  if (!shown) return shown.error();
  for (std::size_t i = 0; i < shown->findings.size(); ++i)
    shown->findings[i].state = verdict.record.findings[i].state;
  shown->seed = verdict.record.seed;
  verdict.record = *std::move(shown);
  if (!flags.history.empty()) {
    if (auto problem = append_run(flags.history, flags.gate.out)) return problem;
    const auto history = read_history_file(flags.history);
    if (!history) return history.error();
    reports::tell_history(verdict.record, *history);
  }
  if (!flags.markdown.empty())
    if (auto problem = write_file(flags.markdown, gate_markdown(verdict))) return problem;
  return write_reports(verdict.record, orders);
}

}  // namespace

std::string gate_text(const GateVerdict& verdict) {
  std::string text =
      verdict.passed() ? "GATE PASSED\n" : "GATE FAILED: " + reports::printable(why_of(verdict)) + "\n";
  for (const Problem& problem : verdict.problems)
    text += "\n- " + reports::printable(problem.headline) + "\n" + problem.details;
  if (!verdict.news.empty()) text += "\n";
  for (const std::string& news : verdict.news) text += "NEWS   " + reports::printable(news) + "\n";
  text += "\n";
  for (const std::string& line : verdict.lines) text += "  " + reports::printable(line) + "\n";
  return text;
}

std::string gate_markdown(const GateVerdict& verdict) {
  std::string text = verdict.passed() ? "# GATE PASSED\n\n" : "# GATE FAILED\n\n";
  for (const Problem& problem : verdict.problems)
    text += "- " + reports::markdown_code(problem.headline) + "\n";
  for (const std::string& news : verdict.news) text += "- news: " + reports::markdown_code(news) + "\n";
  if (!verdict.problems.empty() || !verdict.news.empty()) text += "\n";
  text += "<details><summary>What was asked</summary>\n\n";
  for (const std::string& line : verdict.lines) text += "- " + reports::markdown_code(line) + "\n";
  return text + "\n</details>\n\n" + reports::write_markdown(verdict.record);
}

int gate(const Arguments& arguments) {
  GateFlags flags;
  Options line(
      "gate", "Release gate: everything that a policy asks for, and one verdict.",
      "  fixpoint gate\n  fixpoint gate --config fixpoint.yaml --markdown gate.md --report junit=gate.xml\n"
      "  fixpoint gate --history history.ndjson --report html=gate.html");
  line.value("--config", flags.config, "the policy (default fixpoint.yaml)");
  line.value("--today", flags.gate.today, "the day by which expectations expire (default: the clock's)");
  line.value("--out", flags.gate.out, "the gate's folder (default run/gate)");
  line.value("--jobs", flags.gate.jobs, "threads (default: all cores)");
  line.value("--markdown", flags.markdown, "a file for the pull request");
  line.value("--report", flags.reports, "FORMAT=FILE, repeatable: as `fixpoint report` writes it");
  line.value("--history", flags.history, "a file to which this gate's findings are appended");
  line.flag("--quiet", flags.quiet, "the verdict alone");
  add_allowances(line, flags.outside);
  if (const auto code = line.parse(arguments)) return *code;
  if (!is_day(flags.gate.today)) return bad_input("--today: expected a day such as 2026-12-31");
  const auto orders = read_orders(flags.reports);
  if (!orders) return bad_input(orders.error());
  flags.outside.subjects_file = flags.config;
  if (flags.outside.allow_exec) flags.gate.allowances.emplace_back("--allow-exec");
  if (flags.outside.allow_remote) flags.gate.allowances.emplace_back("--allow-remote");
  const auto outside = Outside::of(flags.outside);
  if (!outside) return bad_input(outside.error());
  const auto policy = read_policy(flags.config);
  if (!policy) return bad_input(policy.error());
  if (!flags.history.empty()) {
    const auto history = read_history_file(flags.history);
    if (!history) return bad_input(history.error());
  }
  auto opened = RunFolder::open(flags.gate.out);
  if (const auto* unopened = std::get_if<Unopened>(&opened)) return unopened->report();
  flags.gate.shows_progress = !flags.quiet && isatty(STDERR_FILENO) != 0;
  heed_interrupts();
  auto asked = run_gate(*policy, flags.gate, *outside);
  if (const auto* unasked = std::get_if<Unasked>(&asked)) {
    std::fprintf(stderr, "fixpoint: %s\n", unasked->error.text().c_str());
    return unasked->code;
  }
  GateVerdict& verdict = std::get<GateVerdict>(asked);
  const auto problem = write_all(flags, *policy, verdict, std::get<RunFolder>(opened), *orders);
  const std::string text = gate_text(verdict);
  std::fputs(flags.quiet ? text.substr(0, text.find('\n') + 1).c_str() : text.c_str(), stdout);
  if (problem) return unfinished(*problem);
  return verdict.passed() ? kNothingFound : kFound;
}

}  // namespace fixpoint::program
