#include <cstdio>

#include "generators/subjects.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options.h"
#include "harness/cli/subject_names.h"
#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/measure/load.h"
#include "harness/runner/clock.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

constexpr int kConnections = 8, kConnectionsMax = 256;
constexpr std::size_t kPodBytes = 3000;

struct LoadOptions {
  std::vector<std::string> names = {}, examples = {};
  std::uint64_t calls = 0;
  std::string time = "10s", p99_max = {};
  bool json = false;
  external::ExternalOptions outside = {};
};

std::optional<int> parse(LoadOptions& options, const Arguments& arguments) {
  Options line(
      "bench load",
      "Requests a second that webhooks answer, with --connections requests at a time (default 8): the "
      "same request again and again, latencies, errors, and calls that took longer than the webhook's "
      "timeoutSeconds. With any of these the exit code is 1.",
      "  fixpoint bench load manifest.yaml --webhook inject.example.io=https://127.0.0.1:9443/mutate "
      "--ca ca.pem --connections 16\n"
      "  fixpoint bench load manifest.yaml --webhook 'inject.example.io=exec:./hook' --p99-max 50ms");
  line.positionals("SUBJECT", options.names, "names from `fixpoint list`, or files as for `fuzz`");
  line.value("--time DURATION", options.time, "how long each webhook is called (default 10s)");
  line.value("--calls", options.calls, "stop after so many calls of each webhook");
  line.value("--p99-max DURATION", options.p99_max, "exit code 1 when the p99 is above it, such as 50ms");
  line.flag("--json", options.json, "NDJSON on standard output, one line a webhook");
  line.value("--example FILE", options.examples, "a file or folder of Pods: the first is sent");
  add_external_options(line, options.outside);
  return line.parse(arguments);
}

std::string text_of(const measure::LoadFigure& figure) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                "%.0f requests/s over %d connections: p50 %.2f ms, p90 %.2f ms, p99 "
                "%.2f ms, max %.2f ms",
                figure.rate(), figure.connections, figure.latency.p50 / 1e3, figure.latency.p90 / 1e3,
                figure.latency.p99 / 1e3, figure.latency.max / 1e3);
  std::string text = document::printable(figure.webhook) + "\n  " + numbers + "\n  " +
                     reports::plural(figure.calls, "call", "calls") + ", " +
                     reports::plural(figure.errors, "error", "errors") + ", " +
                     reports::plural(figure.timeouts, "timeout", "timeouts") + "\n";
  if (!figure.first_error.empty()) text += "  " + document::printable(figure.first_error) + "\n";
  return text;
}

Value event_of(const measure::LoadFigure& figure) {
  return {{"webhook", figure.webhook},
          {"connections", figure.connections},
          {"calls", static_cast<std::int64_t>(figure.calls)},
          {"errors", static_cast<std::int64_t>(figure.errors)},
          {"timeouts", static_cast<std::int64_t>(figure.timeouts)},
          {"requestsPerSecond", reports::hundredths(figure.rate())},
          {"microseconds",
           {{"p50", reports::hundredths(figure.latency.p50)},
            {"p90", reports::hundredths(figure.latency.p90)},
            {"p99", reports::hundredths(figure.latency.p99)},
            {"max", reports::hundredths(figure.latency.max)}}}};
}

/// Measures all webhooks of a subject; true if each kept its bounds.
Result<bool> measure_subject(const runner::Subject& subject, const external::ExternalWebhooks& outside,
                             const LoadOptions& options, const measure::LoadBounds& bounds,
                             std::optional<double> p99_max) {
  const std::vector<runner::Subject> members{subject};
  auto work = measure::Workload::of(members, outside);
  if (!work) return std::move(work).error().within(subject.name);
  const auto pod = subject.examples.empty() ? measure::pod_with_triggers(*work, members, kPodBytes)
                                            : Result<Value>(subject.examples.front().request.object);
  if (!pod) return pod.error();
  bool is_kept = true;
  for (std::size_t i = 0; i < work->webhooks().size() && !is_interrupted(); ++i) {
    const measure::LoadFigure figure = measure::measure_load(*work, i, *pod, bounds);
    std::fputs((options.json ? document::write_json(event_of(figure)) + "\n" : text_of(figure)).c_str(),
               stdout);
    std::fflush(stdout);
    const bool has_slow_tail = p99_max && figure.latency.p99 > *p99_max * 1e6;
    if (has_slow_tail)
      std::fprintf(stderr, "fixpoint: --p99-max: %s: p99 %.2f ms is above %.2f ms\n",
                   document::printable(figure.webhook).c_str(), figure.latency.p99 / 1e3, *p99_max * 1e3);
    is_kept = is_kept && !has_slow_tail && figure.errors + figure.timeouts == 0;
  }
  return is_kept;
}

}  // namespace

int bench_load(const Arguments& arguments) {
  LoadOptions options;
  if (const auto code = parse(options, arguments)) return *code;
  const auto seconds = runner::parse_duration(options.time),
             p99_max = runner::parse_duration(options.p99_max);
  if (!seconds || *seconds <= 0)
    return bad_input("--time " + options.time + ": expected a duration such as 10s");
  if (!options.p99_max.empty() && !p99_max)
    return bad_input("--p99-max " + options.p99_max + ": expected a duration such as 50ms");
  if (options.names.empty()) return bad_input("bench load: expected a subject: a name or a manifest");
  const int connections = options.outside.connections > 0 ? options.outside.connections : kConnections;
  if (connections > kConnectionsMax)
    return bad_input("--connections: expected 1 to " + std::to_string(kConnectionsMax));
  const auto outside = external_webhooks(options.outside);
  if (!outside) return bad_input(outside.error());
  heed_interrupts();
  outside->monitor().stop_when(is_interrupted);
  const auto find = find_with_examples(options.examples, false, outside->limits());
  if (!find) return bad_input(find.error());
  const auto subjects = (*find)(options.names, *outside);
  if (!subjects) return bad_input(subjects.error());
  if (!subjects->reconcilers.empty())
    return bad_input("bench load takes webhooks, and " + subjects->reconcilers.front() + " is a reconciler");
  const measure::LoadBounds bounds{
      .connections = connections, .seconds = *seconds, .calls_max = options.calls, .is_over = is_interrupted};
  bool is_kept = true;
  for (const runner::Subject& subject : subjects->chains.subjects) {
    const auto kept = measure_subject(subject, *outside, options, bounds, p99_max);
    if (!kept) return unfinished(kept.error());
    is_kept = is_kept && *kept;
  }
  if (is_interrupted()) return kInterrupted;
  return is_kept ? kNothingFound : kFound;
}

}  // namespace fixpoint::cli
