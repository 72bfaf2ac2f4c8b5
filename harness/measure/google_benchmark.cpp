#include "harness/measure/google_benchmark.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/runner/clock.h"

namespace fixpoint::measure {

using document::Error;
using document::Result;
using Run = benchmark::BenchmarkReporter::Run;

namespace {

/// Keeps what the library reports, and prints nothing.
class KeepRuns : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& report) override {
    runs.insert(runs.end(), report.begin(), report.end());
  }
  std::vector<Run> runs = {};
};

/// The calls of one figure as a benchmark.
class Repetition {
 public:
  Repetition(const TimedCalls& timed, std::uint64_t calls) : timed_(timed), calls_(calls) {}

  void operator()(benchmark::State& state) {
    const double latest = runner::now() + 2 * timed_.seconds_max;
    for (auto _ : state) {
      if (timed_.is_over()) {
        problem = Error{"interrupted"};
      } else if (timed_.seconds_max > 0 && microseconds.size() >= kCallsMin && runner::now() > latest) {
        state.SkipWithError("slower than the first call promised");
        return;
      } else if (const auto seconds = timed_.call(); !seconds) {
        problem = seconds.error();
      } else {
        state.SetIterationTime(*seconds);
        microseconds.push_back(*seconds * 1e6);
        continue;
      }
      state.SkipWithError(problem->message.c_str());
      return;
    }
  }

  std::uint64_t calls() const { return calls_; }
  std::vector<double> microseconds = {};
  std::optional<Error> problem = {};

 private:
  const TimedCalls& timed_;
  std::uint64_t calls_;
};

std::string benchmark_name(const BenchFigure& figure) {
  std::string name;
  for (const std::string& member : figure.chain) name += (name.empty() ? "chain:" : "+") + member;
  name += figure.injector;
  if (!figure.example.empty()) name += "/example:" + figure.example;
  return name + "/pod_bytes:" + std::to_string(figure.pod_bytes);
}

/// Returns the run of a figure: the library's own, or, where time ended it, one with the calls that were
/// made.
Run run_of(std::vector<Run> reported, const BenchFigure& figure, const std::vector<double>& microseconds) {
  Run run = reported.empty() ? Run() : std::move(reported.front());
  if (run.iterations != static_cast<benchmark::IterationCount>(microseconds.size())) {
    Run made;
    made.run_name = run.run_name;
    made.family_index = made.per_family_instance_index = made.repetition_index = 0;
    made.repetitions = 1;
    made.iterations = static_cast<benchmark::IterationCount>(microseconds.size());
    for (const double one : microseconds) made.real_accumulated_time += one * 1e-6;
    made.statistics = nullptr;
    run = std::move(made);
  }
  run.run_name.iterations.clear();  // A figure keeps its name however many calls the time allowed.
  run.time_unit = benchmark::kMicrosecond;
  const auto count = [&](const char* name, double value) { run.counters[name] = benchmark::Counter(value); };
  count("p50", figure.p50);
  count("p90", figure.p90);
  count("p99", figure.p99);
  count("max", figure.max);
  count("pod_bytes", static_cast<double>(figure.pod_bytes));
  if (figure.is_chain())
    count("calls_per_admission", figure.calls_per_admission);
  else
    count("patch_bytes", static_cast<double>(figure.patch_bytes));
  return run;
}

/// Returns how many calls the time allows, by one that is made for that.
Result<std::uint64_t> calls_of(const TimedCalls& timed) {
  if (timed.seconds_max <= 0) return timed.calls_max;
  const auto seconds = timed.call();
  if (!seconds) return seconds.error();
  const double allowed = timed.seconds_max / std::max(*seconds, 1e-9);
  if (allowed >= static_cast<double>(timed.calls_max)) return timed.calls_max;
  return std::min(timed.calls_max, std::max(static_cast<std::uint64_t>(allowed), kCallsMin));
}

}  // namespace

struct GoogleBenchmark::Hidden {
  struct Measured {
    BenchFigure figure;
    Run run;
  };
  std::vector<Measured> measured = {};
};

GoogleBenchmark::GoogleBenchmark() : hidden_(std::make_unique<Hidden>()) {}
GoogleBenchmark::~GoogleBenchmark() = default;

Result<BenchFigure> GoogleBenchmark::measure(BenchFigure figure, const TimedCalls& timed) {
  const auto calls = calls_of(timed);
  if (!calls) return calls.error();
  Repetition repetition(timed, *calls);
  const std::string name = benchmark_name(figure);
  benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) { repetition(state); })
      ->Iterations(static_cast<benchmark::IterationCount>(*calls))
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
  KeepRuns kept;
  benchmark::RunSpecifiedBenchmarks(&kept, std::string("."));
  benchmark::ClearRegisteredBenchmarks();
  if (repetition.problem) return *repetition.problem;
  std::vector<double> sorted = repetition.microseconds;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return Error{"interrupted"};
  set_latency(figure, sorted);
  timed.complete(figure);
  Run run = run_of(std::move(kept.runs), figure, repetition.microseconds);
  auto& all = hidden_->measured;
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Hidden::Measured& one) { return one.figure.is_of_same(figure); });
  if (known == all.end())
    all.push_back({figure, std::move(run)});
  else if (figure.p50 < known->figure.p50)
    *known = {figure, std::move(run)};
  return figure;
}

std::string GoogleBenchmark::json() const {
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&text);
  if (!reporter.ReportContext(benchmark::BenchmarkReporter::Context())) return {};
  std::vector<Run> runs;
  for (const Hidden::Measured& one : hidden_->measured) runs.push_back(one.run);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].family_index = static_cast<std::int64_t>(i);
  reporter.ReportRuns(runs);
  reporter.Finalize();
  return text.str();
}

}  // namespace fixpoint::measure
