#include <benchmark/benchmark.h>

#include <string>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/patch.h"
#include "harness/document/yaml.h"

namespace fixpoint::document {
namespace {

Value container(int number) {
  const std::string name = "container-" + std::to_string(number);
  return {{"name", name},
          {"image", "registry.example.io/team/" + name + ":1.27"},
          {"args", Value::list({"--port=8080", "--model=/mnt/models", "--verbose"})},
          {"env", Value::list({Value{{"name", "MODE"}, {"value", "production"}},
                               Value{{"name", "NODE"},
                                     {"valueFrom", {{"fieldRef", {{"fieldPath", "spec.nodeName"}}}}}}})},
          {"ports", Value::list({Value{{"name", "http"}, {"containerPort", 8080}, {"protocol", "TCP"}}})},
          {"resources", {{"limits", {{"cpu", "1"}, {"memory", "2Gi"}}}, {"requests", {{"cpu", "100m"}}}}},
          {"volumeMounts",
           Value::list({Value{{"name", "models"}, {"mountPath", "/mnt/models"}, {"readOnly", true}}})},
          {"terminationMessagePath", "/dev/termination-log"},
          {"imagePullPolicy", "IfNotPresent"}};
}

/// A Pod whose JSON has at least `bytes`.
Value pod_of(std::int64_t bytes) {
  Value pod{{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata",
             {{"name", "web"},
              {"namespace", "default"},
              {"labels", {{"app", "web"}, {"tier", "front"}}},
              {"annotations", {{"example.io/mode", "0644"}}}}},
            {"spec",
             {{"restartPolicy", "Always"},
              {"dnsPolicy", "ClusterFirst"},
              {"schedulerName", "default-scheduler"},
              {"volumes", Value::list({Value{{"name", "models"}, {"emptyDir", Value::empty_object()}}})},
              {"containers", Value::empty_list()}}}};
  for (int i = 0; static_cast<std::int64_t>(write_json(pod).size()) < bytes || i == 0; ++i) {
    pod.edit("spec").edit("containers").push_back(container(i));
  }
  return pod;
}

/// The patch of a typical injector: an annotation, a volume and a container.
Value injection() {
  return *read_json(R"([
    {"op":"add","path":"/metadata/annotations/sidecar.example.io~1injected","value":"true"},
    {"op":"add","path":"/spec/volumes/-","value":{"name":"certs","secret":{"secretName":"certs"}}},
    {"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1","args":["run"],
      "resources":{"limits":{"cpu":"1","memory":"1Gi"}},"env":[{"name":"A","value":"b"}]}}])");
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.counters["bytes"] = static_cast<double>(text.size());
}

void Parse(benchmark::State& state) {
  const std::string text = write_json(pod_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(read_json(text));
  count_bytes(state, text);
}

void ParseYaml(benchmark::State& state) {
  const std::string text = write_yaml(pod_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(read_yaml(text));
  count_bytes(state, text);
}

void Write(benchmark::State& state) {
  const Value pod = pod_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(write_json(pod));
}

void Copy(benchmark::State& state) {
  const Value pod = pod_of(state.range(0));
  for (auto _ : state) {
    Value copy = pod;
    benchmark::DoNotOptimize(copy.edit("metadata").edit("labels").edit("app"));
  }
}

void ApplyPatch(benchmark::State& state) {
  const Value pod = pod_of(state.range(0)), patch = injection();
  for (auto _ : state) benchmark::DoNotOptimize(apply_patch(pod, patch));
}

/// The diff between a document and its patched version: most of the two is shared.
void DiffOfShared(benchmark::State& state) {
  const Value pod = pod_of(state.range(0)), patched = apply_patch(pod, injection()).document;
  for (auto _ : state) benchmark::DoNotOptimize(diff(pod, patched));
}

/// The diff between two documents that were parsed separately.
void DiffOfStrangers(benchmark::State& state) {
  const Value pod = pod_of(state.range(0));
  const Value patched = *read_json(write_json(apply_patch(pod, injection()).document));
  for (auto _ : state) benchmark::DoNotOptimize(diff(pod, patched));
}

void EqualShared(benchmark::State& state) {
  const Value pod = pod_of(state.range(0));
  Value other = pod;
  other.edit("metadata").edit("labels").set("app", "web");
  for (auto _ : state) benchmark::DoNotOptimize(pod == other);
}

void EqualStrangers(benchmark::State& state) {
  const Value pod = pod_of(state.range(0)), other = *read_json(write_json(pod));
  for (auto _ : state) benchmark::DoNotOptimize(pod == other);
}

void sizes(benchmark::internal::Benchmark* bench) { bench->Arg(1'000)->Arg(3'000)->Arg(20'000); }

[[maybe_unused]] benchmark::internal::Benchmark* const kAll[] = {
    benchmark::RegisterBenchmark("parse", Parse)->Apply(sizes),
    benchmark::RegisterBenchmark("parse_yaml", ParseYaml)->Apply(sizes),
    benchmark::RegisterBenchmark("write", Write)->Apply(sizes),
    benchmark::RegisterBenchmark("copy_and_edit", Copy)->Apply(sizes),
    benchmark::RegisterBenchmark("apply_patch", ApplyPatch)->Apply(sizes),
    benchmark::RegisterBenchmark("diff_shared", DiffOfShared)->Apply(sizes),
    benchmark::RegisterBenchmark("diff_strangers", DiffOfStrangers)->Apply(sizes),
    benchmark::RegisterBenchmark("equal_shared", EqualShared)->Apply(sizes),
    benchmark::RegisterBenchmark("equal_strangers", EqualStrangers)->Apply(sizes),
};

}  // namespace
}  // namespace fixpoint::document
