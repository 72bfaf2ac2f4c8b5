#include <algorithm>
#include <cstdio>

#include "harness/document/json.h"
#include "harness/program/program.h"
#include "harness/program/workload.h"
#include "injectors/catalog.h"

namespace fixpoint::program {

namespace {

/// Latencies of one injector on Pods of one size, in microseconds.
struct Latency {
  double p50 = 0, p90 = 0, p99 = 0, max = 0;
  std::size_t patch_bytes = 0;  ///< median
};

Latency measure(const runner::Subject& subject, const Value& pod, std::uint64_t calls) {
  const MeasuredCall call(subject);
  std::vector<double> microseconds;
  std::vector<std::size_t> sizes;
  for (std::uint64_t i = 0; i < calls; ++i) {
    const double start = now();
    const auto hop = call(pod);
    microseconds.push_back((now() - start) * 1e6);
    if (i < 3) sizes.push_back(document::write_json(hop.answer.patch.value_or(Value::empty_list())).size());
  }
  std::sort(microseconds.begin(), microseconds.end());
  std::sort(sizes.begin(), sizes.end());
  const auto at = [&](double share) {
    return microseconds[static_cast<std::size_t>(share * static_cast<double>(microseconds.size() - 1))];
  };
  return {at(0.5), at(0.9), at(0.99), microseconds.back(), sizes[sizes.size() / 2]};
}

/// Benches of the harness itself.
struct Score {
  std::string_view name;
  int (*run)(const Arguments&);
};
constexpr Score kScores[] = {{"bugs", bench_bugs}, {"cases", bench_cases}, {"mutations", bench_mutations}};

}  // namespace

int bench(const Arguments& arguments) {
  for (const auto& [name, run] : kScores) {
    if (!arguments.empty() && arguments.front() == name) return run({arguments.begin() + 1, arguments.end()});
  }
  std::vector<std::string> names;
  std::uint64_t calls = 2000;
  bool json = false;
  Options line(
      "bench",
      "Latency of one call of each injector (call, apply, compare, default) on Pods of 1, 3 and 20 kB. "
      "`bench cases` is what a Case costs as it grows; `bench bugs` and `bench mutations` score the harness "
      "itself.",
      "  fixpoint bench\n  fixpoint bench cases --help\n  fixpoint bench bugs --help\n  fixpoint bench "
      "mutations --help\n  fixpoint bench "
      "kserve/modelcar@0.12.1 --calls 10000 "
      "--json");
  line.positionals("SUBJECT", names, "names from `fixpoint list`; default: the newest of every injector");
  line.value("--calls", calls, "calls for each figure (default 2000)");
  line.flag("--json", json, "NDJSON on standard output");
  if (const auto code = line.parse(arguments)) return *code;
  if (calls < 3 || calls > 10'000'000) return bad_input("--calls: expected 3 to 10000000");
  std::vector<runner::Subject> subjects;
  for (const std::string& name : names) {
    auto subject = injectors::find_subject(name);
    if (!subject) return bad_input(subject.error());
    subjects.push_back(*std::move(subject));
  }
  if (subjects.empty()) {
    for (const auto role : {injectors::Role::subject, injectors::Role::peer}) {
      for (auto& subject : injectors::newest(role)) subjects.push_back(std::move(subject));
    }
  }
  if (!json)
    std::printf("%-34s %6s %8s %8s %8s %8s  %s\n", "injector", "Pod", "p50 µs", "p90", "p99", "max", "patch");
  for (const runner::Subject& subject : subjects) {
    for (const std::size_t bytes : {1000u, 3000u, 20000u}) {
      const Latency latency = measure(subject, sized_pod(subject, bytes), calls);
      if (json) {
        char figures[256];
        std::snprintf(figures, sizeof figures, "{\"p50\":%.2f,\"p90\":%.2f,\"p99\":%.2f,\"max\":%.2f}",
                      latency.p50, latency.p90, latency.p99, latency.max);
        const Value event{{"event", "bench"},
                          {"injector", subject.name},
                          {"podBytes", static_cast<std::int64_t>(bytes)},
                          {"patchBytes", static_cast<std::int64_t>(latency.patch_bytes)},
                          {"microseconds", document::read_json(figures).value()}};
        std::printf("%s\n", document::write_json(event).c_str());
      } else {
        std::printf("%-34s %4zu kB %8.1f %8.1f %8.1f %8.1f  %zu bytes\n", subject.name.c_str(), bytes / 1000,
                    latency.p50, latency.p90, latency.p99, latency.max, latency.patch_bytes);
      }
    }
  }
  return kNothingFound;
}

}  // namespace fixpoint::program
