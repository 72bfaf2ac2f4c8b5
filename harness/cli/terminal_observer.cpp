#include "harness/cli/terminal_observer.h"

#include <unistd.h>

#include <cstdio>
#include <set>

#include "harness/cli/interrupt.h"
#include "harness/cli/standard_output.h"
#include "harness/document/json.h"
#include "harness/runner/clock.h"
#include "harness/runner/diagnosis/problems.h"
#include "reports/escape.h"
#include "reports/redact.h"

namespace fixpoint::cli {

namespace {

double percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Returns the number of problems so far: findings of one cause count once. Repairs can join more of them at
/// the end.
std::size_t problems_of(const runner::RunSummary& summary) {
  std::set<std::string> ids;
  for (const cases::Finding& finding : summary.findings) ids.insert(runner::problem_id(finding));
  return ids.size();
}

}  // namespace

TerminalObserver::TerminalObserver(const TerminalOptions& options)
    : options_(options), progress_(!options.is_quiet) {}

void TerminalObserver::begins() { heed_interrupts(); }

void TerminalObserver::event(const document::Value& event) {
  if (!options_.is_json) return;
  print_now(reports::json_without_commands(document::write_json(reports::redacted_event(event))) + "\n");
}

void TerminalObserver::print(const std::string& text) {
  if (!options_.is_json && !options_.is_quiet) print_now(text);
}

void TerminalObserver::paragraph(const std::string& text) {
  end_progress();
  if (options_.is_json || options_.is_quiet) return;
  print_now("\n" + (has_color(STDOUT_FILENO) ? colored(text) : text));
}

void TerminalObserver::progress(const runner::RunSummary& summary, double seconds) {
  char text[160];
  std::snprintf(text, sizeof text, "%llu Cases, %.0f/s, reinvoked %.0f%%, refused %.0f%%, %zu problems",
                static_cast<unsigned long long>(summary.cases),
                seconds > 0 ? static_cast<double>(summary.cases) / seconds : 0,
                percent_of(summary.reinvoked, summary.cases), percent_of(summary.rejected, summary.cases),
                problems_of(summary));
  progress_.show(text, runner::now());
}

void TerminalObserver::end_progress() { progress_.clear(); }

void TerminalObserver::complain(const std::string& line) {
  std::fprintf(stderr, "fixpoint: %s\n", line.c_str());
}

void TerminalObserver::account(const std::string& lines) { std::fputs(lines.c_str(), stderr); }

bool TerminalObserver::is_interrupted() { return cli::is_interrupted() || is_output_lost(); }

}  // namespace fixpoint::cli
