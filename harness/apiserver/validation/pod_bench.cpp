#include <benchmark/benchmark.h>

#include <string>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/apiserver/warnings/warnings.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

constexpr const char* kContainer = R"({"name":"NAME","image":"registry.example.com/team/app:1.2.3",
  "command":["/bin/app"],"args":["--port=8080","--verbose"],
  "ports":[{"name":"http","containerPort":8080},{"name":"metrics","containerPort":9090}],
  "env":[{"name":"A","value":"1"},{"name":"B","value":"two"},
         {"name":"POD","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},
         {"name":"KEY","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],
  "resources":{"limits":{"cpu":"500m","memory":"512Mi"},"requests":{"cpu":"250m","memory":"256Mi"}},
  "volumeMounts":[{"name":"data","mountPath":"/data"},
   {"name":"config","mountPath":"/etc/app","readOnly":true}],
  "livenessProbe":{"httpGet":{"path":"/healthz","port":"http"}},
  "readinessProbe":{"httpGet":{"path":"/ready","port":8080}},
  "securityContext":{"runAsNonRoot":true,"capabilities":{"drop":["ALL"]}}})";

std::string container(const std::string& name) {
  std::string text = kContainer;
  return text.replace(text.find("NAME"), 4, name);
}

/// About 3 kB, as a client sends it.
const std::string& pod_text() {
  static const std::string text =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default",
      "labels":{"app":"web","team":"x","version":"1"},"annotations":{"example.io/a":"b"}},"spec":{
      "serviceAccountName":"default","volumes":[{"name":"data","emptyDir":{}},
      {"name":"config","configMap":{"name":"c","items":[{"key":"a","path":"a.yaml"}]}}],
      "tolerations":[{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],
      "containers":[)" +
      container("main") + "," + container("side") + "," + container("third") + "]}}";
  return text;
}

Value sent() { return *document::read_json(pod_text()); }
Value defaulted() { return default_pod(*decode_pod(sent())); }

/// The Pod after a patch of one container: the path to it is edited, all other parts are shared and stamped.
Value patched(const Value& pod) {
  Value copy = pod;
  copy.edit("spec").edit("containers").edit(1).edit("env").push_back(Value{{"name", "NEW"}, {"value", "x"}});
  return copy;
}

void decode_fresh(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const Value pod = sent();
    state.ResumeTiming();
    benchmark::DoNotOptimize(default_pod(*decode_pod(pod)));
  }
}
BENCHMARK(decode_fresh);

void decode_patched(benchmark::State& state) {
  const Value pod = defaulted();
  for (auto _ : state) benchmark::DoNotOptimize(default_pod(*decode_pod(patched(pod))));
}
BENCHMARK(decode_patched);

void patch_alone(benchmark::State& state) {
  const Value pod = defaulted();
  for (auto _ : state) benchmark::DoNotOptimize(patched(pod));
}
BENCHMARK(patch_alone);

void compare_patched(benchmark::State& state) {
  const Value pod = defaulted(), changed = *decode_pod(patched(pod));
  for (auto _ : state) benchmark::DoNotOptimize(semantically_equal(pod, changed));
}
BENCHMARK(compare_patched);

void internal_type(benchmark::State& state) {
  const Value pod = defaulted();
  for (auto _ : state) benchmark::DoNotOptimize(through_internal_type(pod));
}
BENCHMARK(internal_type);

void prepare(benchmark::State& state) {
  const Value pod = defaulted();
  for (auto _ : state) benchmark::DoNotOptimize(prepare_for_create(pod, "default"));
}
BENCHMARK(prepare);

void validate(benchmark::State& state) {
  const Value pod = prepare_for_create(defaulted(), "default")->pod;
  if (!validate_create(pod).empty()) state.SkipWithError("the Pod is not valid");
  for (auto _ : state) benchmark::DoNotOptimize(validate_create(pod));
}
BENCHMARK(validate);

void warn(benchmark::State& state) {
  const Value pod = prepare_for_create(defaulted(), "default")->pod;
  for (auto _ : state) benchmark::DoNotOptimize(creation_warnings(pod));
}
BENCHMARK(warn);

}  // namespace
}  // namespace fixpoint::apiserver
