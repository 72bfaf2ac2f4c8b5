#include "harness/measure/case_costs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/runner/clock.h"
#include "harness/runner/examine.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "reports/costs.h"

namespace fixpoint::measure {

using document::Value;

namespace {

// The steps are wide, so that only one step contains the size at which a Pod no longer fits in a cache.
constexpr std::array<std::int64_t, 4> kContainers{3, 12, 50, 200};
constexpr std::array<std::int64_t, 4> kWebhooks{3, 5, 10, 20};
constexpr std::array<std::int64_t, 4> kKilobytes{2, 16, 128, 1024};

constexpr CostAxis kCostAxes[] = {
    {"containers", kContainers, [](std::int64_t size) { return generators::CaseSize{.containers = size}; }},
    {"webhooks", kWebhooks, [](std::int64_t size) { return generators::CaseSize{.webhooks = size}; }},
    {"kilobytes", kKilobytes, [](std::int64_t size) { return generators::CaseSize{.kilobytes = size}; }}};

constexpr double kTurnSeconds = 0.02;  ///< for one size in a round; at least one Case
constexpr int kTurnCasesMax = 1000;    ///< a bound in case the clock does not advance
constexpr int kAgainMax = 3;

constexpr Took kForever{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};

Took best_of(const Took& a, const Took& b) {
  return {std::min(a.seconds, b.seconds), std::min(a.byte_seconds, b.byte_seconds)};
}

Took best_of_turn(std::int64_t size, const Stopwatch& stopwatch) {
  Took best = kForever;
  double spent = 0;
  for (int i = 0; i < kTurnCasesMax && spent < kTurnSeconds; ++i) {
    const Took took = stopwatch(size);
    spent += took.seconds;
    best = best_of(best, took);
  }
  return best;
}

/// Returns the time, in seconds, of writing and reading one byte of the Pod as JSON.
double byte_seconds_of(const Value& pod) {
  const double start = runner::now();
  const std::string text = document::write_json(pod);
  document::check(document::read_json(text).ok(), "what is written reads back");
  return (runner::now() - start) / static_cast<double>(text.size());
}

}  // namespace

std::span<const CostAxis> cost_axes() { return kCostAxes; }

Took examine_new_case(const generators::CaseSize& size) {
  cases::Case value = generators::sized_case(size);
  const double byte_seconds = byte_seconds_of(value.request.object);
  const double start = runner::now();
  {
    const auto prepared = runner::prepare(std::move(value), injectors::resolve, {}, runner::kWithoutWarnings);
    document::check(prepared.ok() && !prepared->admission.object.is_null(), "a Case made to measure runs");
    const properties::Catalog& catalog = injectors::bundled().catalog;
    const auto asked = runner::ask(*prepared, catalog.of_cases(), {.only_cheap = true}, {});
    document::check(!asked.empty(), "every Case is asked something");
  }
  return {runner::now() - start, byte_seconds};
}

std::vector<reports::CostRow> measure_costs(std::string_view axis, std::span<const std::int64_t> sizes,
                                            const CostRounds& rounds, const Stopwatch& stopwatch) {
  std::vector<Took> best(sizes.size(), kForever);
  for (std::uint64_t round = 0; round < rounds.rounds; ++round) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (rounds.is_over && rounds.is_over()) return {};
      best[i] = best_of(best[i], best_of_turn(sizes[i], stopwatch));
    }
  }
  std::vector<reports::CostRow> rows;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    rows.push_back({.axis = std::string(axis),
                    .size = sizes[i],
                    .microseconds = best[i].seconds * 1e6,
                    .byte_nanoseconds = best[i].byte_seconds * 1e9});
  return rows;
}

std::vector<reports::CostRow> measure_until_calm(std::string_view axis, std::span<const std::int64_t> sizes,
                                                 const CostRounds& rounds, const Stopwatch& stopwatch) {
  auto rows = measure_costs(axis, sizes, rounds, stopwatch);
  for (int again = 0; again < kAgainMax && reports::has_steep_step(reports::curves_of(rows)); ++again) {
    const auto more = measure_costs(axis, sizes, rounds, stopwatch);
    if (more.empty()) return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].microseconds = std::min(rows[i].microseconds, more[i].microseconds);
      rows[i].byte_nanoseconds = std::min(rows[i].byte_nanoseconds, more[i].byte_nanoseconds);
    }
  }
  return rows;
}

}  // namespace fixpoint::measure
