#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "harness/document/json.h"
#include "harness/document/limits.h"
#include "harness/properties/packs/pack.h"
#include "harness/runner/examine.h"
#include "harness/runner/loop/run.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace {

using namespace fixpoint;

const properties::Catalog& every_property() {
  const properties::Catalog& catalog = injectors::bundled().catalog;
  return catalog;
}

generators::DrawOptions options(bool runs_injectors) {
  generators::DrawOptions draw;
  draw.subjects = injectors::newest(injectors::Role::subject);
  draw.peers = injectors::newest(injectors::Role::peer);
  if (runs_injectors) draw.resolve = injectors::resolve;
  return draw;
}

/// Measures drawing one Case; with `resolve` some Pods go through an injector while they are drawn.
void draw_case(benchmark::State& state) {
  const generators::DrawContext draw_context(options(state.range(0) != 0));
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    benchmark::DoNotOptimize(generators::draw(choices, draw_context));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(draw_case)->Arg(0)->Arg(1);

/// Measures drawing, admission, validation and the four cheap properties: Cases per second of a run.
void whole_case(benchmark::State& state) {
  const generators::DrawContext draw_context(options(true));
  std::uint64_t index = 0;
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {});
    if (prepared)
      benchmark::DoNotOptimize(runner::ask(*prepared, every_property().of_cases(), {.only_cheap = true}, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(whole_case);

generators::DrawContext default_chain_draw_context() {
  generators::DrawOptions draw;
  std::vector<runner::Subject> chain = injectors::default_chain();
  draw.subjects = {std::move(chain.front())};
  draw.peers.assign(std::make_move_iterator(chain.begin() + 1), std::make_move_iterator(chain.end()));
  draw.has_all_peers = true;
  draw.has_faults = draw.has_scripts = draw.has_updates = false;
  return generators::DrawContext(std::move(draw));
}

/// Draws, admits and examines Cases as a run does: every 16th with all properties.
void run_cases(benchmark::State& state, const generators::DrawContext& draw_context, std::uint64_t index) {
  for (auto _ : state) {
    runner::Choices choices(1, index++);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {},
                                          runner::kWithoutWarnings);
    if (prepared)
      benchmark::DoNotOptimize(
          runner::ask(*prepared, every_property().of_cases(), {.only_cheap = index % 16 != 0}, {}));
  }
  state.SetItemsProcessed(state.iterations());
}

/// Measures the default chain with reinvocation. Every Case is drawn, admitted, validated and checked against
/// the cheap properties, every 16th against all properties. pod_bytes is the mean size of the Pod that the
/// first webhook receives.
void default_chain(benchmark::State& state) {
  const auto draw_context = default_chain_draw_context();
  std::uint64_t index = 0;
  double bytes = 0;
  for (; index < 500; ++index) {
    runner::Choices choices(1, index);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {});
    if (prepared) bytes += static_cast<double>(document::write_json(prepared->admission.first).size()) / 500;
  }
  run_cases(state, draw_context, index);
  state.counters["pod_bytes"] = bytes;
}
BENCHMARK(default_chain);

/// A defaulter of a custom resource whose definition has a hundred fields, in ten objects.
runner::Subject defaulter_of_a_hundred_fields() {
  runner::Subject subject = injectors::find_subject("defects/zero-taken-for-absent@fixed").value();
  document::Value& version =
      subject.objects.back().edit("spec").edit("versions").edit(0).edit("schema").edit("openAPIV3Schema");
  document::Value& fields = version.edit("properties").edit("spec").edit("properties");
  const document::Value kinds[] = {{{"type", "integer"}, {"minimum", 0}},
                                   {{"type", "string"}, {"maxLength", 16}},
                                   {{"type", "boolean"}},
                                   {{"type", "array"}, {"items", {{"type", "string"}}}},
                                   {{"type", "string"}, {"enum", document::Value::list({"a", "b", "c"})}}};
  for (int object = 0; object < 10; ++object) {
    document::Value members = document::Value::empty_object();
    for (int field = 0; field < 10; ++field) members.set("field" + std::to_string(field), kinds[field % 5]);
    fields.set("object" + std::to_string(object), {{"type", "object"}, {"properties", std::move(members)}});
  }
  return subject;
}

/// Measures Cases of that defaulter as a run makes them: every 16th with all properties.
void custom_resource(benchmark::State& state) {
  generators::DrawOptions draw;
  draw.subjects = {defaulter_of_a_hundred_fields()};
  draw.peers = injectors::newest(injectors::Role::peer);
  draw.resolve = injectors::resolve;
  const generators::DrawContext draw_context(std::move(draw));
  run_cases(state, draw_context, 0);
}
BENCHMARK(custom_resource);

/// Measures one Case of that chain repeatedly, and so the cost without drawing.
void chain_of_three(benchmark::State& state) {
  const auto draw_context = default_chain_draw_context();
  runner::Choices choices(1, 0);
  const cases::Case value = generators::draw(choices, draw_context);
  for (auto _ : state) {
    const auto prepared = runner::prepare(value, injectors::resolve, {}, runner::kWithoutWarnings);
    if (prepared)
      benchmark::DoNotOptimize(runner::ask(*prepared, every_property().of_cases(), {.only_cheap = true}, {}));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(chain_of_three);

/// Returns the options of a run of the default chain, as `fuzz` sets them.
runner::RunOptions run_of_default_chain() {
  const auto draw_anew = [] {
    return [draw_context = std::make_shared<generators::DrawContext>(default_chain_draw_context())](
               runner::Choices& choices, auto) {
      return runner::Drawn(generators::draw(choices, *draw_context));
    };
  };
  runner::RunOptions options{.effort = {.seconds_max = 0}, .drawing = {.seed = 1}};
  options.drawing.draw = draw_anew();
  options.drawing.draw_anew = draw_anew;
  options.subjects.catalog = every_property();
  options.drawing.reduce = generators::reduce;
  options.subjects.resolve = [](std::string_view name) { return injectors::resolve(name); };
  options.hooks.clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  return options;
}

/// Returns the state of such a run after it has made most of its findings: the first Cases of a run are
/// mostly shrunk, not drawn.
runner::RunState settled_run() {
  struct Latest : runner::Listener {
    void round_ended(const runner::RunState& state) override { last = state; }
    runner::RunState last = {};
  } listener;
  runner::RunOptions options = run_of_default_chain();
  options.effort.cases_max = 5 * runner::kRoundCases - runner::kFirstRoundCases;
  runner::run(options, listener);
  return listener.last;
}

/// Measures the rest of that run on the given number of threads.
void run_on_jobs(benchmark::State& state) {
  constexpr std::uint64_t kCases = 8 * runner::kRoundCases;
  static const runner::RunState settled = settled_run();
  runner::RunOptions options = run_of_default_chain();
  options.from = settled;
  options.effort.cases_max = settled.summary.cases + kCases;
  options.effort.jobs = static_cast<int>(state.range(0));
  runner::Listener nobody;
  for (auto _ : state) benchmark::DoNotOptimize(runner::run(options, nobody));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCases));
}
BENCHMARK(run_on_jobs)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
