#include <benchmark/benchmark.h>

#include "harness/runner/sequences.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace {

using namespace fixpoint;

/// Measures drawing one Sequence.
void draw_sequence(benchmark::State& state) {
  const std::vector<std::string> subjects{"kserve/hpa@0.20.0"};
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    benchmark::DoNotOptimize(injectors::draw_sequence(choices, subjects));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_sequence);

/// Measures drawing a Sequence, running it and checking every property: Sequences per second of a run.
void whole_sequence(benchmark::State& state, const char* subject) {
  const std::vector<std::string> subjects{subject};
  const auto& catalog = injectors::bundled().catalog;
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    const auto prepared =
        runner::prepare(injectors::draw_sequence(choices, subjects), injectors::resolve_reconciler);
    for (const auto* property : catalog.of_sequences())
      benchmark::DoNotOptimize(runner::ask(*prepared, *property, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(whole_sequence, hpa_0_11_2, "kserve/hpa@0.11.2");
BENCHMARK_CAPTURE(whole_sequence, hpa_0_15_0, "kserve/hpa@0.15.0");
BENCHMARK_CAPTURE(whole_sequence, hpa_0_20_0, "kserve/hpa@0.20.0");

}  // namespace
