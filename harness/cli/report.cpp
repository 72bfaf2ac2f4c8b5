#include <cstdio>

#include "harness/campaign/run_history.h"
#include "harness/campaign/run_reader.h"
#include "harness/cli/command.h"
#include "injectors/bundled.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"

namespace fixpoint::cli {

int report(const Arguments& arguments) {
  std::string folder, name = "text", output, history_file, source;
  bool shows_values = false;
  Options line("report",
               "A finished run in any format. With the lines of `bench --json` and `bench cases --json` in "
               "RUN/bench.ndjson, latencies and what a Case costs as it grows, too.",
               "  fixpoint report run\n  fixpoint report run --format html --output run.html\n"
               "  fixpoint report run --format sarif --output fixpoint.sarif");
  line.positional("RUN", folder, "the folder of a run", true);
  line.value("--format FORMAT", name, "text (default), json, junit, sarif, markdown or html");
  line.value("--output FILE", output, "a file; default: standard output");
  line.value("--history FILE", history_file, "a file of runs: when each finding was seen, fixed, flaky");
  line.value("--source PATH", source,
             "with sarif: the file of the repository in which code scanning shows what was found; "
             "default: the webhook configuration's");
  line.flag("--show-values", shows_values, "values that may be secrets (env, annotations), too");
  if (const auto code = line.parse(arguments)) return *code;
  const auto format = campaign::known_format(name);
  if (!format) return bad_input(format.error());
  if (!source.empty() && *format != "sarif") return bad_input("--source: expected --format sarif with it");
  if (!source.empty() && reports::relative_path(source) != source)
    return bad_input("--source: expected a path from the root of the repository, found \"" + source + "\"");
  auto record =
      campaign::read_run(folder, {.shows_values = shows_values, .resolve = injectors::bundled().resolve});
  if (!record) return bad_input(record.error());
  record->source = source;
  if (!history_file.empty()) {
    const auto history = campaign::read_history_file(history_file);
    if (!history) return bad_input(history.error());
    if (history->torn > 0)
      std::fprintf(stderr, "fixpoint: %s: %zu unfinished lines are left out\n", history_file.c_str(),
                   history->torn);
    reports::tell_history(*record, *history);
  }
  if (output.empty()) {
    const std::string text = reports::find_format(*format)->write(campaign::record_for(*record, ""));
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kNothingFound;
  }
  if (const auto problem = campaign::write_reports(*record, {{*format, output}})) {
    std::fprintf(stderr, "fixpoint: %s\n", problem->text().c_str());
    return kUnfinished;
  }
  return kNothingFound;
}

}  // namespace fixpoint::cli
