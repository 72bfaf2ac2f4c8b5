#include <benchmark/benchmark.h>

#include <string>

#include "harness/apiserver/cel/cel.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::cel {
namespace {

using document::Value;

/// A Pod of about 3 kB as the server's admission sees it.
Value benched_pod() {
  const std::string rest =
      R"("args":["--port=8080","--verbose"],"env":[{"name":"MODE","value":"production"},)"
      R"({"name":"NODE","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"spec.nodeName"}}}],)"
      R"("ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],)"
      R"("resources":{"limits":{"cpu":"1","memory":"2Gi"},"requests":{"cpu":"100m","memory":"128Mi"}},)"
      R"("volumeMounts":[{"name":"data","mountPath":"/data"}],)"
      R"("terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"})";
  std::string containers;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "container-" + std::to_string(i);
    containers += std::string(i > 0 ? "," : "") + R"({"name":")" + name +
                  R"(","image":"registry.example.com/)" + name + R"(:v1.27",)" + rest;
  }
  const std::string text = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop",)"
                           R"("labels":{"app":"web","tier":"front"},"annotations":{"a.io/inject":"true"}},)"
                           R"("spec":{"containers":[)" +
                           containers + R"(],"serviceAccountName":"web","restartPolicy":"Always"}})";
  return document::read_json(text).value();
}

void evaluate_condition(benchmark::State& state, const char* expression) {
  const Compiled compiled = compile(expression, {}, read_type("bool"));
  Activation activation;
  const Value pod = benched_pod();
  const Value request{{"operation", "CREATE"}, {"namespace", "shop"}};
  for ([[maybe_unused]] auto _ : state) {
    activation[Variable::object] = Datum::of(pod);
    activation[Variable::request] = Datum::of(request);
    benchmark::DoNotOptimize(compiled.program->evaluate(activation));
  }
}

void BM_CelNamespace(benchmark::State& state) {
  evaluate_condition(state, "!(request.namespace in ['kube-system', 'kube-public'])");
}
BENCHMARK(BM_CelNamespace);

void BM_CelLabel(benchmark::State& state) {
  evaluate_condition(state,
                     "has(object.metadata.labels) && 'app' in object.metadata.labels && "
                     "object.metadata.labels['app'] == 'web'");
}
BENCHMARK(BM_CelLabel);

void BM_CelImages(benchmark::State& state) {
  evaluate_condition(state, "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))");
}
BENCHMARK(BM_CelImages);

void BM_CelPattern(benchmark::State& state) {
  evaluate_condition(state, "object.metadata.name.matches('^[a-z0-9-]+$')");
}
BENCHMARK(BM_CelPattern);

void BM_CelCompile(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(compile("has(object.metadata.labels) && object.metadata.labels['app'] == 'web'",
                                     {}, read_type("bool")));
  }
}
BENCHMARK(BM_CelCompile);

}  // namespace
}  // namespace fixpoint::apiserver::cel
