#include <algorithm>
#include <cstdio>
#include <memory>

#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/manifests/manifest.h"
#include "harness/measure/google_benchmark.h"
#include "harness/measure/latency_figures.h"
#include "harness/measure/latency_rows.h"
#include "harness/measure/latency_run.h"
#include "harness/runner/clock.h"
#include "reports/escape.h"

namespace fixpoint::cli {

using document::Error;

namespace {

struct BenchOptions {
  std::vector<std::string> names = {};
  std::uint64_t calls = 2000;
  std::string time = "2s";
  bool has_chain = false;
  bool json = false;
  std::string format = {};
  std::vector<std::string> examples = {};
  std::string save = {};
  std::string baseline = {};
  std::string tolerance = {}, p99_max = {};
  external::ExternalOptions outside = {};
};

void print_note(const Error& note) {
  std::fprintf(stderr, "fixpoint: %s\n", document::printable(note.text()).c_str());
}

void print_event(const Value& event) {
  std::printf("%s\n", reports::json_without_commands(document::write_json(event)).c_str());
  std::fflush(stdout);
}
void print_line(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

int cut_short(const BenchOptions& options, const measure::LatencyRun& run, std::size_t rows) {
  std::fprintf(stderr, "fixpoint: interrupted: %zu of %zu figures were measured", run.figures.size(), rows);
  if (run.slow > 0) std::fprintf(stderr, ", of which %zu were to be measured again", run.slow);
  if (!options.save.empty())
    std::fprintf(stderr, "; %s is not written", document::printable(options.save).c_str());
  std::fputs("\n", stderr);
  return kInterrupted;
}

/// Names on standard error each figure whose p99 is above the bound, in seconds. Returns true if there is
/// one.
bool tell_slow_tails(const std::vector<measure::BenchFigure>& figures, double seconds_max) {
  bool has_one = false;
  for (const measure::BenchFigure& figure : figures) {
    if (figure.p99 <= seconds_max * 1e6) continue;
    has_one = true;
    std::fprintf(stderr, "fixpoint: --p99-max: %s: p99 %.2f ms is above %.2f ms\n",
                 document::printable(figure.name()).c_str(), figure.p99 / 1e3, seconds_max * 1e3);
  }
  return has_one;
}

/// Measures, prints each figure, and keeps all figures for --save.
int bench_all(const BenchOptions& options, std::optional<double> p99_max,
              const std::vector<measure::LatencyRow>& rows, const measure::LatencyRunOptions& run_options,
              const measure::GoogleBenchmark& benchmark) {
  const measure::LatencyObserver text{.line = print_line, .event = [](const Value&) {}};
  const measure::LatencyObserver json{.line = [](const std::string&) {}, .event = print_event};
  const measure::LatencyObserver none{.line = [](const std::string&) {}, .event = [](const Value&) {}};
  const bool is_google = options.format == "google";
  const measure::LatencyRun done = measure::measure_rows(rows, run_options,
                                                         is_google      ? none
                                                         : options.json ? json
                                                                        : text);
  if (done.is_over) return cut_short(options, done, rows.size());
  if (done.problem) return unfinished(*done.problem);
  if (is_google) print_line(benchmark.json());
  if (!options.save.empty()) {
    const std::string figures = document::write_json_pretty(measure::write_baseline(done.figures));
    if (auto problem = document::write_file(options.save, figures)) return unfinished(*problem);
  }
  const auto idle = measure::without_a_patch(done.figures);
  for (const std::string& name : idle) {
    std::fprintf(
        stderr,
        "fixpoint: no verdict: %s changed no Pod that it was sent: these are times of an answer "
        "without a patch (--example gives a Pod on which it acts; a Subject file's triggers say what "
        "makes it act)\n",
        document::printable(name).c_str());
  }
  const bool has_slow_tail = p99_max && tell_slow_tails(done.figures, *p99_max);
  if (done.has_slower || has_slow_tail) return kFound;
  return idle.empty() ? kNothingFound : kUnfinished;
}

/// Another measurement than that of latencies.
struct Subcommand {
  std::string_view name;
  std::string_view sentence;
  int (*run)(const Arguments&);
};
constexpr Subcommand kSubcommands[] = {
    {"cases", "what a Case costs as it grows", bench_cases},
    {"load", "requests a second that webhooks answer, several at a time", bench_load}};

std::optional<int> parse(BenchOptions& options, const Arguments& arguments) {
  Options line(
      "bench",
      "Latency of one call of each injector (call, apply, compare, default), and of a whole admission "
      "through a chain, on Pods of 1, 3 and 20 kB.",
      "  fixpoint bench --chain\n"
      "  fixpoint bench kserve/modelcar@0.12.1 --calls 10000 --json\n"
      "  fixpoint bench manifest.yaml --webhook 'inject.example.io=exec:./my-webhook --stdio' --save "
      "base.json\n"
      "  fixpoint bench manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate --ca ca.pem "
      "--baseline base.json\n"
      "  fixpoint bench manifest.yaml --webhook 'inject.example.io=exec:./my-webhook' --example pod.yaml\n"
      "  fixpoint bench --format google > latency.json\n"
      "  fixpoint bench load manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate "
      "--connections 16\n"
      "  fixpoint bench cases --help");
  for (const Subcommand& one : kSubcommands)
    line.subcommand(std::string(one.name), std::string(one.sentence));
  line.positionals("SUBJECT", options.names,
                   "names from `fixpoint list`, files of webhook configurations or Subjects; default: the "
                   "newest of every injector");
  line.value("--calls", options.calls, "calls for each figure (default 2000)");
  line.value("--time DURATION", options.time,
             "time limit for each figure, 0 for none (default 2s); a figure from fewer calls says so");
  line.flag("--chain", options.has_chain,
            "also whole admissions through all subjects together, reinvocation included; without SUBJECT "
            "through pod-mutator, a sidecar, and a mutator of metadata and volumes");
  line.value("--save FILE", options.save, "write the figures to a file, for --baseline");
  line.value("--baseline FILE", options.baseline,
             "a file of --save to compare with; exit code 1 when a figure is slower");
  line.value("--tolerance RATIO", options.tolerance,
             "how many times the baseline's p50 is still no slower (default 1.5); before that counts, a "
             "figure is measured up to three times again, after all others");
  line.value("--p99-max DURATION", options.p99_max,
             "exit code 1 when the p99 of a figure is above it, such as 50ms");
  line.flag("--json", options.json, "NDJSON on standard output, the same as --format ndjson");
  line.value(
      "--format FORMAT", options.format,
      "text, ndjson, or google: the JSON of Google Benchmark, for its compare.py and for dashboards, with "
      "p50, p90, p99 and max in microseconds as counters (default text)");
  line.value("--example FILE", options.examples,
             "a file or folder of Pods, or workloads with a Pod template, to measure with in the place "
             "of Pods of 1, 3 and 20 kB");
  add_external_options(line, options.outside);
  return line.parse(arguments);
}

/// Returns the subcommand that was probably meant by a first argument that is neither a subject nor a file;
/// empty if none is close.
std::string meant_subcommand(const BenchOptions& options) {
  if (options.names.empty() || options.names.front().find('/') != std::string::npos) return "";
  if (external::is_manifest(options.names.front())) return "";
  std::vector<std::string_view> names;
  for (const Subcommand& one : kSubcommands) names.push_back(one.name);
  return document::did_you_mean_suffix(options.names.front(), names);
}

/// Returns a number of at least 1; the default tolerance if the text is empty.
std::optional<double> tolerance_of(const std::string& text) {
  if (text.empty()) return measure::BenchJudgement{}.tolerance;
  const auto number = document::real_of(text);
  return number && *number >= 1 && *number <= 1e9 ? number : std::nullopt;
}

/// Returns the exit code of options that contradict one another.
std::optional<int> check_options(BenchOptions& options) {
  if (const std::string hint = meant_subcommand(options); !hint.empty())
    return bad_input("bench: neither a subject nor a subcommand \"" + options.names.front() + "\"" + hint);
  if (options.format == "ndjson") options.json = true;
  if (!options.format.empty() && options.format != "text" && options.format != "ndjson" &&
      options.format != "google")
    return bad_input("--format " + options.format + ": expected text, ndjson or google");
  if (options.json && (options.format == "text" || options.format == "google"))
    return bad_input("--json: expected without --format " + options.format);
  if (options.calls < measure::kCallsMin || options.calls > measure::kCallsMax)
    return bad_input("--calls: expected 3 to 10000000");
  if (!options.tolerance.empty() && options.baseline.empty())
    return bad_input("--tolerance: expected --baseline FILE with it");
  return std::nullopt;
}

}  // namespace

int bench(const Arguments& arguments) {
  for (const Subcommand& one : kSubcommands) {
    if (!arguments.empty() && arguments.front() == one.name)
      return one.run({arguments.begin() + 1, arguments.end()});
  }
  BenchOptions options;
  if (const auto code = parse(options, arguments)) return *code;
  if (const auto code = check_options(options)) return *code;
  const auto seconds = runner::parse_duration(options.time);
  if (!seconds)
    return bad_input("--time " + options.time + ": expected a duration with its unit, such as 30s, 5m or 2h");
  const auto p99_max = runner::parse_duration(options.p99_max);
  if (!options.p99_max.empty() && !p99_max)
    return bad_input("--p99-max " + options.p99_max + ": expected a duration such as 50ms");
  const auto tolerance = tolerance_of(options.tolerance);
  if (!tolerance) return bad_input("--tolerance " + options.tolerance + ": expected a number of at least 1");
  measure::LatencyRunOptions run_options{.tolerance = *tolerance,
                                         .calls_asked = static_cast<std::int64_t>(options.calls),
                                         .is_over = is_interrupted};
  if (!options.baseline.empty()) {
    auto read = measure::read_baseline_file(options.baseline);
    if (!read) return bad_input(read.error());
    run_options.baseline = *std::move(read);
  }
  const auto outside = external_webhooks(options.outside);
  if (!outside) return bad_input(outside.error());
  heed_interrupts();
  outside->monitor().stop_when(is_interrupted);
  const auto find = find_with_examples(options.examples, false, outside->limits());
  if (!find) return bad_input(find.error());
  const auto benchmark = std::make_shared<measure::GoogleBenchmark>();
  const auto rows =
      measure::latency_rows({.names = options.names, .has_chain = options.has_chain}, *outside, *find,
                            {.benchmark = benchmark,
                             .calls = options.calls,
                             .seconds = *seconds,
                             .is_over = is_interrupted,
                             .note = print_note});
  if (!rows) return bad_input(rows.error());
  const auto is_known = [&](const measure::LatencyRow& row) {
    return measure::find_figure(*run_options.baseline, row.of).has_value();
  };
  if (run_options.baseline && std::none_of(rows->begin(), rows->end(), is_known))
    return bad_input("--baseline " + options.baseline + ": it has none of the figures that are asked for");
  if (!options.save.empty()) {
    if (auto problem = document::cannot_write(options.save)) return unfinished(*problem);
  }
  return bench_all(options, p99_max, *rows, run_options, *benchmark);
}

}  // namespace fixpoint::cli
