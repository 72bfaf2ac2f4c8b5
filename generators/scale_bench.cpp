#include <benchmark/benchmark.h>

#include "generators/sized_case.h"
#include "harness/properties/packs/pack.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

// Measures the cost of a large Case by containers, webhooks and bytes. A Case of twice the size may cost
// twice as much; the counter is the cost of one container, one webhook or one kB. `fixpoint bench cases`
// measures the same Cases, each examined once; here one Case is examined repeatedly, so that much of it is
// cached, as for a neighbour in a run.

namespace {

using namespace fixpoint;

/// Measures admission, validation and the cheap properties of a Case of that size.
void run(benchmark::State& state, const generators::CaseSize& size) {
  const cases::Case value = generators::sized_case(size);
  for (auto _ : state) {
    const auto prepared = runner::prepare(value, injectors::resolve, {}, runner::kWithoutWarnings);
    if (!prepared || prepared->admission.object.is_null()) state.SkipWithError("the Case does not run");
    benchmark::DoNotOptimize(
        runner::ask(*prepared, properties::Catalog().of_cases(), {.only_cheap = true}, {}));
  }
  state.counters["per_unit"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void containers(benchmark::State& state) { run(state, {.containers = state.range(0)}); }
BENCHMARK(containers)->Arg(3)->Arg(12)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);

void webhooks_of_a_case(benchmark::State& state) { run(state, {.webhooks = state.range(0)}); }
BENCHMARK(webhooks_of_a_case)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMicrosecond);

void kilobytes(benchmark::State& state) { run(state, {.kilobytes = state.range(0)}); }
BENCHMARK(kilobytes)->Arg(2)->Arg(16)->Arg(128)->Arg(1024)->Unit(benchmark::kMicrosecond);

}  // namespace
