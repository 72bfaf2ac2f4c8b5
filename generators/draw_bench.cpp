#include <benchmark/benchmark.h>

#include "generators/draw.h"
#include "harness/document/limits.h"
#include "harness/runner/examine.h"
#include "injectors/catalog.h"

namespace {

using namespace fixpoint;

generators::DrawOptions options(bool runs_injectors) {
  generators::DrawOptions draw;
  draw.subjects = injectors::newest(injectors::Role::subject);
  draw.peers = injectors::newest(injectors::Role::peer);
  if (runs_injectors) draw.resolve = injectors::resolve;
  return draw;
}

/// One Case from decisions; with `resolve` some Pods go through an injector while they are drawn.
void draw_case(benchmark::State& state) {
  const generators::Repertoire repertoire(options(state.range(0) != 0));
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    benchmark::DoNotOptimize(generators::draw(choices, repertoire));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_case)->Arg(0)->Arg(1);

/// Draw, admission, validation and the four cheap properties: Cases per second of a run.
void whole_case(benchmark::State& state) {
  const generators::Repertoire repertoire(options(true));
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    const auto prepared = runner::prepare(generators::draw(choices, repertoire), injectors::resolve, {});
    if (prepared) benchmark::DoNotOptimize(runner::ask(*prepared, properties::all(), true, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(whole_case);

/// The same for one Case of the default chain over and over: what draws do not cost.
void chain_of_three(benchmark::State& state) {
  generators::DrawOptions draw;
  draw.subjects = {injectors::find_subject("kserve/pod-mutator@0.20.0").value()};
  for (const char* peer : {"peers/sidecar-guarded", "peers/metadata-and-volume"})
    draw.peers.push_back(injectors::find_subject(peer).value());
  draw.has_faults = draw.has_scripts = draw.has_updates = false;
  const generators::Repertoire repertoire(draw);
  cases::Case value;
  for (std::uint64_t index = 0; value.webhooks.size() != 3; ++index) {
    runner::Choices choices(1, index);
    value = generators::draw(choices, repertoire);
  }
  for (auto _ : state) {
    const auto prepared = runner::prepare(value, injectors::resolve, {});
    if (prepared) benchmark::DoNotOptimize(runner::ask(*prepared, properties::all(), true, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(chain_of_three);

}  // namespace
