#include "harness/external/backends/call_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/document/printable.h"
#include "harness/properties/budget.h"
#include "harness/runner/clock.h"

namespace fixpoint::external {

namespace {

/// The number of repeated measurements of a call over budget, and of calls of one webhook that are measured
/// again. If a repeated call is fast, the machine was slow, not the webhook.
constexpr int kMeasurements = 3, kSuspicionsMax = 3;

thread_local std::uint64_t skipped_here = 0, made_here = 0;
thread_local int pauses_here = 0;

std::string with_timeout(const CallMonitor::Timed& timed) {
  const int milliseconds = timed.timeout_milliseconds;
  return std::to_string(timed.timed_out) + " of " + std::to_string(timed.calls) +
         " calls had no answer within " +
         (milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + " s"
                                   : std::to_string(milliseconds) + " ms");
}

}  // namespace

std::uint64_t CallMonitor::skipped_calls() { return skipped_here; }
std::uint64_t CallMonitor::made() { return made_here; }

std::shared_ptr<void> CallMonitor::pause() {
  ++pauses_here;
  return {&pauses_here, [](int* pauses) { --*pauses; }};
}

webhooks::Handler CallMonitor::unless_over(webhooks::Handler inner) const {
  return [this, inner = std::move(inner)](const webhooks::Call& call) {
    if (pauses_here > 0 || is_over()) {
      ++skipped_here;
      return webhooks::fail("not called: the run is over");
    }
    ++made_here;
    return inner(call);
  };
}

webhooks::Handler CallMonitor::timed(webhooks::Handler inner) {
  return [this, inner = std::move(inner)](const webhooks::Call& call) {
    const int seconds_max = seconds_max_;
    if (seconds_max == 0) return timed_call(inner, call);
    webhooks::Call bounded = call;
    bounded.timeout_seconds = std::min(call.timeout_seconds, seconds_max);
    return inner(bounded);
  };
}

webhooks::Answer CallMonitor::timed_call(const webhooks::Handler& inner, const webhooks::Call& call) {
  const double begin = runner::now();
  webhooks::Answer answer = inner(call);
  const double seconds = runner::now() - begin, budget = properties::seconds_budget(call.timeout_seconds);
  bool is_suspicious = false;
  {
    const std::lock_guard lock(mutex_);
    Timed& timed = timed_[std::string(call.webhook)];
    ++timed.calls;
    if (answer.timed_out) {
      ++timed.timed_out;
      timed.timeout_milliseconds = std::min(call.timeout_seconds * 1000, milliseconds_max_);
    }
    is_suspicious =
        !answer.timed_out && seconds > std::max(budget, timed.seconds) && timed.suspicions < kSuspicionsMax;
    timed.suspicions += is_suspicious ? 1 : 0;
  }
  if (is_suspicious) measure_again(inner, call, seconds, budget);
  return answer;
}

void CallMonitor::measure_again(const webhooks::Handler& inner, const webhooks::Call& call, double seconds,
                                double budget) {
  for (int i = 0; i < kMeasurements; ++i) {
    if (is_over()) return;
    const double begin = runner::now();
    inner(call);
    seconds = std::min(seconds, runner::now() - begin);
    if (seconds <= budget) return;
  }
  const std::lock_guard lock(mutex_);
  Timed& timed = timed_[std::string(call.webhook)];
  if (seconds <= timed.seconds) return;
  timed.seconds = seconds;
  timed.seconds_budget = budget;
}

std::map<std::string, CallMonitor::Timed> CallMonitor::timed() const {
  const std::lock_guard lock(mutex_);
  return timed_;
}

std::string account_of(const std::map<std::string, CallMonitor::Timed>& timed) {
  std::string text;
  for (const auto& [webhook, one] : timed) {
    if (one.timed_out > 0) text += "within-budget: " + webhook + ": " + with_timeout(one) + "\n";
    if (one.seconds == 0) continue;
    text += "within-budget: " + webhook + ": four equal calls took " + document::seconds_text(one.seconds) +
            " s or more of the " + document::seconds_text(one.seconds_budget) + " s that one may\n";
  }
  return text;
}

std::string rate_of(const std::map<std::string, CallMonitor::Timed>& timed, double seconds) {
  std::uint64_t calls = 0;
  for (const auto& [webhook, one] : timed) calls += one.calls;
  if (calls == 0 || seconds <= 0) return {};
  return "calls: " + std::to_string(calls) + " in " + document::seconds_text(seconds) + " s, " +
         std::to_string(std::llround(static_cast<double>(calls) / seconds)) + " a second\n";
}

}  // namespace fixpoint::external
