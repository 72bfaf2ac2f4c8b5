#include <benchmark/benchmark.h>

#include <string>

#include "harness/document/limits.h"
#include "harness/properties/properties.h"
#include "harness/runner/examine.h"
#include "injectors/catalog.h"

// What a Case costs when it is large: containers, webhooks, bytes. Twice as much may cost twice as much; the
// counter is the cost of one container, one webhook, one kB.

namespace {

using namespace fixpoint;
using document::Value;

struct Size {
  std::int64_t containers = 3, webhooks = 3, variables = 3;
};

Value container(std::int64_t index, std::int64_t variables) {
  const std::string number = std::to_string(index);
  Value env = Value::empty_list(), mounts = Value::empty_list();
  for (std::int64_t i = 0; i < variables; ++i) {
    const std::string name = std::to_string(i);
    env.push_back({{"name", "VARIABLE_" + name}, {"value", "of some length, as values are " + name}});
    mounts.push_back({{"name", "data"}, {"mountPath", "/data/" + name}});
  }
  return {{"name", "c" + number},
          {"image", "registry.example/app:" + number},
          {"ports", Value::list({Value{{"containerPort", 8000 + index}}})},
          {"env", env},
          {"volumeMounts", mounts},
          {"resources", {{"limits", {{"cpu", "1"}, {"memory", "1Gi"}}}}}};
}

/// A webhook that adds an annotation and a variable to the first container, once.
void add_webhook(Value& objects, Value& backends, std::int64_t index) {
  const std::string name = "hook-" + std::to_string(100 + index);
  const std::string webhook = "inject.example.io";
  const Value rule{{"operations", Value::list({"CREATE"})},
                   {"apiGroups", Value::list({""})},
                   {"apiVersions", Value::list({"v1"})},
                   {"resources", Value::list({"pods"})}};
  objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                     {"kind", "MutatingWebhookConfiguration"},
                     {"metadata", {{"name", name}}},
                     {"webhooks", Value::list({Value{{"name", webhook},
                                                     {"rules", Value::list({rule})},
                                                     {"admissionReviewVersions", Value::list({"v1"})},
                                                     {"sideEffects", "None"},
                                                     {"reinvocationPolicy", "IfNeeded"}}})}});
  const Value patch =
      Value::list({Value{{"op", "add"}, {"path", "/metadata/annotations/" + name}, {"value", "injected"}},
                   Value{{"op", "add"},
                         {"path", "/spec/containers/0/env/-"},
                         {"value", {{"name", "OF_" + std::to_string(index)}, {"value", "x"}}}}});
  const Value rule_of_script{{"when", {{"absent", "/metadata/annotations/" + name}}}, {"patch", patch}};
  backends.set(name + "/" + webhook, Value{{"script", Value::list({rule_of_script})}});
}

cases::Case scaled(const Size& size) {
  Value containers = Value::empty_list(), objects = Value::empty_list(), backends = Value::empty_object();
  for (std::int64_t i = 0; i < size.containers; ++i) containers.push_back(container(i, size.variables));
  for (std::int64_t i = 0; i < size.webhooks; ++i) add_webhook(objects, backends, i);
  const Value pod{
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata", {{"name", "large"}, {"annotations", {{"a", "b"}}}}},
      {"spec",
       {{"containers", containers},
        {"volumes", Value::list({Value{{"name", "data"}, {"emptyDir", Value::empty_object()}}})}}}};
  return cases::read_case(Value{{"apiVersion", "fixpoint/v1"},
                                {"kind", "Case"},
                                {"request", {{"operation", "CREATE"}, {"object", pod}}},
                                {"cluster", {{"objects", objects}}},
                                {"webhooks", backends}})
      .value();
}

/// Admission, validation and the four cheap properties; `units` is what the cost is divided by.
void run(benchmark::State& state, const Size& size, double units) {
  const cases::Case value = scaled(size);
  for (auto _ : state) {
    const auto prepared = runner::prepare(value, injectors::resolve, {}, runner::kJudging);
    if (!prepared || prepared->admission.object.is_null()) state.SkipWithError("the Case does not run");
    benchmark::DoNotOptimize(runner::ask(*prepared, properties::all(), true, {}));
  }
  state.counters["per_unit"] =
      benchmark::Counter(units, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void containers(benchmark::State& state) {
  run(state, {.containers = state.range(0)}, static_cast<double>(state.range(0)));
}
BENCHMARK(containers)->Arg(3)->Arg(10)->Arg(50)->Arg(100)->Arg(200)->Unit(benchmark::kMicrosecond);

void webhooks_of_a_case(benchmark::State& state) {
  run(state, {.webhooks = state.range(0)}, static_cast<double>(state.range(0)));
}
BENCHMARK(webhooks_of_a_case)->Arg(3)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMicrosecond);

/// Three containers; a variable with its mount is about 150 bytes.
void kilobytes(benchmark::State& state) {
  const auto variables = state.range(0) * 1000 / 150 / 3;
  run(state, {.variables = variables}, static_cast<double>(state.range(0)));
}
BENCHMARK(kilobytes)->Arg(3)->Arg(30)->Arg(100)->Arg(300)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
