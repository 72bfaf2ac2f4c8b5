#include <benchmark/benchmark.h>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/document/json.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::injectors {
namespace {

using document::Value;

/// Returns a Pod that every bundled injector acts on, filled up with env to about `bytes` of JSON.
Value pod_of(std::size_t bytes) {
  Value pod =
      document::read_json(R"({"metadata":{"name":"p","labels":{"serving.kserve.io/inferenceservice":"m"},
      "annotations":{"serving.kserve.io/enable-metric-aggregation":"true",
      "internal.serving.kserve.io/storage-initializer-sourceuri":"oci://registry.example/model:1"}},
      "spec":{"containers":[{"name":"kserve-container","image":"x"},{"name":"queue-proxy","image":"y"}]}})")
          .value();
  for (int i = 0; document::write_json(pod).size() < bytes; ++i) {
    const std::string name = "SETTING_" + std::to_string(i);
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .edit("env")
        .push_back({{"name", name}, {"value", "some value"}});
  }
  return apiserver::default_pod(apiserver::decode_pod(pod).value());
}

/// Measures one call as the API server makes it: the webhook runs, its patch is applied, the result is
/// compared, decoded and defaulted.
void call(benchmark::State& state, const char* name) {
  const runner::Subject subject = find_subject(name).value();
  cases::Case value;
  value.cluster.objects = subject.objects;
  value.cluster.objects.push_back(subject.configuration);
  const auto webhook = apiserver::read_configurations(value).value().front();
  const auto handler = resolve(name).value();
  const Value pod = pod_of(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(apiserver::call_webhook(
        webhook, handler, {.request = value.request, .cluster = value.cluster, .object = pod}, {}));
  }
}

BENCHMARK_CAPTURE(call, pod_mutator, "kserve/pod-mutator@0.20.0")->Arg(1000)->Arg(3000)->Arg(20000);
BENCHMARK_CAPTURE(call, metrics_aggregator, "kserve/metrics-aggregator")->Arg(1000)->Arg(3000)->Arg(20000);
BENCHMARK_CAPTURE(call, modelcar, "kserve/modelcar")->Arg(1000)->Arg(3000)->Arg(20000);
BENCHMARK_CAPTURE(call, sidecar_guarded, "peers/sidecar-guarded")->Arg(1000)->Arg(3000)->Arg(20000);

/// Measures only the answer, without the API server's work on it.
void answer(benchmark::State& state, const char* name) {
  const runner::Subject subject = find_subject(name).value();
  cases::Case value;
  value.cluster.objects = subject.objects;
  const auto handler = resolve(name).value();
  const Value pod = pod_of(static_cast<std::size_t>(state.range(0)));
  const Value none;
  for (auto _ : state) {
    benchmark::DoNotOptimize(handler({.object = pod,
                                      .old_object = none,
                                      .request = value.request,
                                      .cluster = value.cluster,
                                      .webhook = "c/w",
                                      .review_version = "v1",
                                      .uid = "u",
                                      .name = "p"}));
  }
}

BENCHMARK_CAPTURE(answer, pod_mutator, "kserve/pod-mutator@0.20.0")->Arg(3000);
BENCHMARK_CAPTURE(answer, metrics_aggregator, "kserve/metrics-aggregator")->Arg(3000);
BENCHMARK_CAPTURE(answer, modelcar, "kserve/modelcar")->Arg(3000);

}  // namespace
}  // namespace fixpoint::injectors
