#include "harness/measure/load.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "harness/runner/clock.h"

namespace fixpoint::measure {

namespace {

/// The answers of one connection.
struct Seen {
  std::vector<double> microseconds = {};
  std::uint64_t errors = 0, timeouts = 0;
  std::string first_error = {};
};

Seen call_until(const std::function<bool()>& ends, const std::function<apiserver::CallResult()>& call,
                double timeout) {
  Seen seen;
  while (!ends()) {
    const double begin = runner::now();
    const apiserver::CallResult result = call();
    const double seconds = runner::now() - begin;
    seen.microseconds.push_back(seconds * 1e6);
    if (result.timed_out || seconds > timeout) {
      ++seen.timeouts;
    } else if (const auto problem = problem_of(result)) {
      ++seen.errors;
      if (seen.first_error.empty()) seen.first_error = problem->text();
    }
  }
  return seen;
}

}  // namespace

LoadFigure measure_load(const Workload& work, std::size_t webhook, const document::Value& pod,
                        const LoadBounds& bounds) {
  const auto& configured = work.webhooks()[webhook];
  const cases::Request request = work.request_of(webhook, pod);
  const double begin = runner::now();
  std::atomic<std::uint64_t> begun = 0;
  const auto ends = [&] {
    if (bounds.is_over() || runner::now() - begin >= bounds.seconds) return true;
    return bounds.calls_max > 0 && begun++ >= bounds.calls_max;
  };
  std::vector<Seen> all(static_cast<std::size_t>(std::max(bounds.connections, 1)));
  std::vector<std::thread> threads;
  threads.reserve(all.size());
  for (Seen& seen : all)
    threads.emplace_back([&] {
      seen = call_until(ends, [&] { return work.call(webhook, request); }, configured.timeout_seconds);
    });
  for (std::thread& thread : threads) thread.join();
  LoadFigure figure{.webhook = configured.key, .connections = bounds.connections};
  figure.seconds = runner::now() - begin;
  std::vector<double> times;
  for (const Seen& seen : all) {
    times.insert(times.end(), seen.microseconds.begin(), seen.microseconds.end());
    figure.errors += seen.errors;
    figure.timeouts += seen.timeouts;
    if (figure.first_error.empty()) figure.first_error = seen.first_error;
  }
  figure.calls = times.size();
  if (times.empty()) return figure;
  std::ranges::sort(times);
  set_latency(figure.latency, times);
  return figure;
}

}  // namespace fixpoint::measure
