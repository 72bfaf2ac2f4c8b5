#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "harness/campaign/accept_problems.h"
#include "harness/campaign/gate_text.h"
#include "harness/campaign/policy.h"
#include "harness/campaign/release_gate.h"
#include "harness/campaign/run_folder.h"
#include "harness/campaign/run_history.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/replay_flags.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/subject_names.h"
#include "harness/cli/terminal_observer.h"
#include "harness/document/document_stream.h"
#include "harness/document/file_lock.h"
#include "harness/document/output_file.h"
#include "harness/document/shell_word.h"
#include "harness/external/backends/external_webhooks.h"
#include "injectors/bundled.h"
#include "reports/events.h"
#include "reports/first_screen.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::cli {

using document::Error;

namespace {

/// Writes the verdict as the events of a run, so that `report` reads the gate's folder like that of any run.
std::optional<Error> write_events(campaign::RunFolder& folder, const campaign::Policy& policy,
                                  const campaign::GateVerdict& verdict) {
  const reports::RunRecord& record = verdict.record;
  runner::RunOptions run;
  run.drawing.seed = policy.seeds.front();
  run.subjects.names = record.subjects;
  Value start = reports::start_event(run, FIXPOINT_VERSION);
  if (!record.files.empty()) start.set("files", Value::empty_object());
  for (const auto& [configuration, file] : record.files) start.edit("files").set(configuration, file);
  std::vector<Value> events{std::move(start)};
  for (const auto& answer : record.regressions)
    events.push_back(reports::regression_event(answer.file, answer.answer));
  for (const auto& recorded : record.findings) events.push_back(reports::finding_event(recorded.finding));
  for (const auto& check : record.summary.vacuity_checks)
    events.push_back(reports::vacuity_check_event(check));
  events.push_back(reports::stop_event(record.summary));
  for (const Value& event : events)
    if (auto problem = folder.append(event)) return problem;
  for (const auto& recorded : record.findings) {
    const auto saved = folder.save(recorded.finding);
    if (!saved) return saved.error();
  }
  return folder.finish(events.back());
}

/// The time that an acceptance waits for others into the same policy.
constexpr double kLockSecondsMax = 60;

/// The arguments of `gate --accept RUN`.
struct AcceptFlags {
  std::string run = {};
  bool all = false;
  std::vector<std::string> problems = {};
  campaign::Acceptance acceptance = {};
};

struct GateFlags {
  AcceptFlags accept = {};
  std::string config = "fixpoint.yaml", profile = {};
  campaign::GateOptions gate = {.today = campaign::today(), .out = "run/gate"};
  std::string markdown = {}, history = {};
  external::ExternalOptions outside = {};
  std::vector<std::string> reports = {};
  bool quiet = false;
};

/// Writes everything that a gate leaves behind once its verdict is known. Reports are made from the files
/// that were written, with values hidden as in the reports of any run.
std::optional<Error> write_all(const GateFlags& flags, const campaign::Policy& policy,
                               campaign::GateVerdict& verdict, campaign::RunFolder& folder,
                               const std::vector<campaign::ReportOrder>& orders) {
  if (auto problem = write_events(folder, policy, verdict)) return problem;
  auto shown = campaign::read_run(flags.gate.out, {.resolve = injectors::bundled().resolve});
  if (!shown) return shown.error();
  for (std::size_t i = 0; i < shown->findings.size(); ++i)
    shown->findings[i].state = verdict.record.findings[i].state;
  shown->seed = verdict.record.seed;
  verdict.record = *std::move(shown);
  if (!flags.history.empty()) {
    if (auto problem = campaign::append_run(flags.history, flags.gate.out, campaign::new_run_id(), orders))
      return problem;
    const auto history = campaign::read_history_file(flags.history);
    if (!history) return history.error();
    reports::tell_history(verdict.record, *history);
  }
  if (!flags.markdown.empty())
    if (auto problem = document::write_file(flags.markdown, campaign::gate_markdown(verdict))) return problem;
  return campaign::write_reports(verdict.record, orders);
}

/// A problem with its smallest finding.
struct ToAccept {
  cases::Problem problem;
  cases::Finding finding;
};

/// Returns the problems of the run that the flags name and the policy does not contain; an error for an
/// unknown name.
document::Result<std::vector<ToAccept>> problems_to_accept(const AcceptFlags& flags,
                                                           const campaign::Policy& policy) {
  const auto record = campaign::read_run(flags.run, {.shows_values = true});
  if (!record) return record.error();
  std::vector<cases::Problem> chosen, all = reports::problems_of(*record);
  for (const std::string& name : flags.problems) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const cases::Problem& one) {
      return std::find(one.ids.begin(), one.ids.end(), name) != one.ids.end();
    });
    if (found == all.end()) return Error{"the run has no problem \"" + name + "\"", flags.run};
    chosen.push_back(*found);
  }
  if (flags.all) chosen = std::move(all);
  std::vector<ToAccept> accepted;
  for (const cases::Problem& problem : chosen) {
    const bool is_there = std::any_of(policy.accepted.begin(), policy.accepted.end(),
                                      [&](const auto& known) { return known.problem == problem.id; });
    if (!is_there) accepted.push_back({problem, reports::smallest_of(reports::members_of(problem, *record))});
  }
  return accepted;
}

/// Writes the Cases before the policy, so that the policy never names a file that does not exist.
std::optional<Error> write_accepted(const std::string& policy, const std::string& text,
                                    const std::vector<ToAccept>& accepted) {
  for (const ToAccept& one : accepted) {
    const auto file = std::filesystem::path(policy).parent_path() / campaign::finding_file_of(one.problem);
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    const std::string finding = document::write_json_pretty(cases::write_finding(one.finding));
    if (auto lost = document::write_file(file.string(), finding)) return lost;
  }
  return accepted.empty() ? std::nullopt : document::write_file(policy, text);
}

/// Writes accepted problems into the policy, which nobody else does meanwhile.
int accept(const GateFlags& flags) {
  const auto& [reason, until, owner, ticket] = flags.accept.acceptance;
  if (reason.empty()) return bad_input("--accept needs --reason: why the problems are accepted");
  if (!campaign::is_day(until))
    return bad_input(until.empty() ? "--accept needs --until: a day such as 2026-12-31"
                                   : "--until " + until + ": expected a day such as 2026-12-31");
  if (flags.accept.all == !flags.accept.problems.empty())
    return bad_input("--accept needs either --problem ID, repeatable, or --all");
  const auto lock = document::FileLock::take(flags.config, kLockSecondsMax);
  std::error_code problem;
  if (!lock && std::filesystem::exists(flags.config, problem)) return unfinished(lock.error());
  const auto read = campaign::read_policy(flags.config);
  const auto* policy = std::get_if<campaign::Policy>(&read);
  if (policy == nullptr) return bad_input(std::get<std::vector<Error>>(read));
  const auto accepted = problems_to_accept(flags.accept, *policy);
  if (!accepted) return bad_input(accepted.error());
  std::vector<cases::Problem> problems;
  for (const ToAccept& one : *accepted) problems.push_back(one.problem);
  const auto text = document::read_text_file(flags.config);
  if (!text) return bad_input(text.error());
  auto changed = campaign::with_accepted(*text, problems, flags.accept.acceptance);
  if (!changed) return bad_input(std::move(changed).error().within(flags.config));
  if (auto lost = write_accepted(flags.config, *changed, *accepted)) return unfinished(*lost);
  std::printf("accepted until %s in %s: %s\n", until.c_str(), flags.config.c_str(),
              reports::plural(problems.size(), "problem", "problems").c_str());
  return kNothingFound;
}

/// Returns an exit code if the command ends here.
std::optional<int> parse(GateFlags& flags, const Arguments& arguments) {
  Options line(
      "gate", "Release gate: all checks of a policy, and one verdict.",
      "  fixpoint gate\n  fixpoint gate --config fixpoint.yaml --markdown gate.md --report junit=gate.xml\n"
      "  fixpoint gate --history history.ndjson --report html=gate.html\n  fixpoint gate --since 0.19.0\n"
      "  fixpoint gate --accept run --problem 7364fb06de55 --reason 'repaired in 2.1' --until 2026-12-31");
  line.value("--config FILE", flags.config, "the policy (default fixpoint.yaml)");
  line.value("--profile NAME", flags.profile,
             "a profile of the policy, such as night: budget, seeds, failOn");
  line.value("--today DAY", flags.gate.today, "the day by which expectations expire (default: the clock's)");
  line.value("--out DIR", flags.gate.out, "the gate's folder (default run/gate)");
  line.value("--jobs", flags.gate.jobs, "threads (default: all cores)");
  line.value("--markdown FILE", flags.markdown, "a file for the verdict as Markdown, for a pull request");
  line.value("--report FORMAT=FILE", flags.reports, "writes the verdict as `fixpoint report` does");
  line.value("--history FILE", flags.history, "a file to which this gate's findings are appended");
  line.value("--since RELEASE", flags.gate.since,
             "a release (0.19.0), NAME=exec:CMD, NAME=URL or a run's folder: a problem that it has, too, "
             "fails no gate");
  line.flag("--quiet", flags.quiet, "the verdict alone");
  line.group("Accepting the problems of a run");
  line.value("--accept DIR", flags.accept.run,
             "a run's folder: writes its problems into the policy as accepted, instead of judging");
  line.value("--problem ID", flags.accept.problems, "this problem");
  line.flag("--all", flags.accept.all, "every problem of the run");
  line.value("--reason TEXT", flags.accept.acceptance.reason, "why");
  line.value("--until DAY", flags.accept.acceptance.until, "the last day on which it holds");
  line.value("--owner NAME", flags.accept.acceptance.owner, "who repairs it");
  line.value("--ticket TEXT", flags.accept.acceptance.ticket, "the ticket that tracks the repair");
  line.group("");
  add_allowances(line, flags.outside);
  return line.parse(arguments);
}

}  // namespace

int gate(const Arguments& arguments) {
  GateFlags flags;
  if (const auto code = parse(flags, arguments)) return *code;
  if (!flags.accept.run.empty()) return accept(flags);
  if (!campaign::is_day(flags.gate.today)) return bad_input("--today: expected a day such as 2026-12-31");
  const auto orders = campaign::read_orders(flags.reports);
  if (!orders) return bad_input(orders.error());
  const auto read = campaign::read_policy(flags.config, flags.profile);
  const auto* policy = std::get_if<campaign::Policy>(&read);
  if (policy == nullptr) return bad_input(std::get<std::vector<Error>>(read));
  flags.outside.subjects_file = flags.config;
  flags.outside.webhooks = policy->webhooks;
  flags.outside.code = policy->code;
  if (!policy->webhooks.empty()) flags.outside.webhooks_file = flags.config;
  flags.gate.external_webhooks = flags.outside;
  flags.gate.program = invoked_as();
  if (flags.gate.jobs == 0) flags.gate.jobs = processors();
  const auto outside = external_webhooks(flags.outside);
  if (!outside) return bad_input(outside.error());
  const auto find = find_with_examples(policy->examples, false, outside->limits());
  if (!find) return bad_input(find.error());
  if (!flags.history.empty()) {
    const auto history = campaign::read_history_file(flags.history);
    if (!history) return bad_input(history.error());
  }
  auto opened = campaign::RunFolder::open(flags.gate.out);
  if (const auto* unopened = std::get_if<campaign::Unopened>(&opened)) return unopened_folder(*unopened);
  flags.gate.shows_progress = !flags.quiet && isatty(STDERR_FILENO) != 0;
  heed_interrupts();
  TerminalObserver observer({.is_quiet = true});
  auto asked = campaign::run_gate(*policy, flags.gate, *outside, *find, observer);
  if (const auto* unasked = std::get_if<campaign::Unasked>(&asked)) {
    std::fprintf(stderr, "fixpoint: %s\n", unasked->error.text().c_str());
    return unasked->code;
  }
  campaign::GateVerdict& verdict = std::get<campaign::GateVerdict>(asked);
  const auto problem = write_all(flags, *policy, verdict, std::get<campaign::RunFolder>(opened), *orders);
  const std::string config =
      flags.config == GateFlags{}.config ? "" : " --config " + document::shell_word(flags.config);
  const std::string text = campaign::gate_text(verdict, flags.gate.program + " gate" + config + " --accept " +
                                                            document::shell_word(flags.gate.out) +
                                                            " --all --reason WHY --until DAY");
  std::fputs(flags.quiet ? text.substr(0, text.find('\n') + 1).c_str() : text.c_str(), stdout);
  if (problem) return unfinished(*problem);
  return verdict.code();
}

}  // namespace fixpoint::cli
