#include <benchmark/benchmark.h>

#include <string>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/apiserver/preparation/prepare.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/json.h"
#include "injectors/injector_catalog.h"

// Uses the same Pod and the same questions as corpus/conformance/recorder/bench_test.go, which measures the
// released code of Kubernetes; corpus/conformance/bench runs both and prints the results side by side.

namespace fixpoint::measure {
namespace {

using document::Value;

constexpr const char* kSidecarPatch =
    R"([{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"proxy:1"}},)"
    R"({"op":"add","path":"/metadata/annotations/injected","value":"yes"}])";

std::string container(int i) {
  std::string text = R"({"name":"cN","image":"reg.example.io/team/app:N","args":["--port=8080","--verbose"],
    "env":[{"name":"A","value":"b"},{"name":"P","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
    "ports":[{"containerPort":808N,"name":"pN"}],
    "resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"100m"}},
    "livenessProbe":{"httpGet":{"port":8080}},"volumeMounts":[{"name":"data","mountPath":"/data"}]})";
  for (const char* numbered : {"cN", "app:N", "808N", "pN"}) {
    const auto at = text.find(numbered) + std::string_view(numbered).size() - 1;
    text.replace(at, 1, std::to_string(i));
  }
  return text;
}

/// Returns the recorder's Pod; `extra` is added to its annotations.
std::string pod_text(const std::string& extra = "") {
  std::string containers = container(0);
  for (int i = 1; i < 4; ++i) containers += "," + container(i);
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default",)"
         R"("labels":{"app":"web","team":"a"},"annotations":{"note":"x")" +
         extra + R"(}},"spec":{"containers":[)" + containers +
         R"(],"volumes":[{"name":"data","emptyDir":{}},{"name":"cfg","configMap":{"name":"c"}}],)"
         R"("tolerations":[{"key":"k","operator":"Exists"}]}})";
}

Value defaulted(const std::string& text) {
  return apiserver::default_pod(*apiserver::decode_pod(*document::read_json(text)));
}

/// Measures one webhook call: the bytes of a patch are read and applied, and the result is decoded, compared
/// and defaulted.
void beside_recorder_call(benchmark::State& state) {
  const Value pod = defaulted(pod_text());
  const webhooks::Handler handler = [](const webhooks::Call&) {
    webhooks::Answer answer =
        webhooks::allow(*document::read_json(kSidecarPatch, {}, document::Strictness::foreign));
    return answer;
  };
  apiserver::ConfiguredWebhook webhook;
  webhook.key = "c/w";
  webhook.review_version = "v1";
  webhook.side_effects = "None";
  const cases::Case value;
  const apiserver::CallInput input{.request = value.request, .cluster = value.cluster, .object = pod};
  if (!apiserver::call_webhook(webhook, handler, input, {}).changed) state.SkipWithError("unchanged");
  for (auto _ : state) benchmark::DoNotOptimize(apiserver::call_webhook(webhook, handler, input, {}));
}
BENCHMARK(beside_recorder_call);

/// Measures validation alone, of a Pod that is decoded and prepared. Nothing of an earlier validation is
/// cached.
void beside_recorder_validation(benchmark::State& state) {
  const Value pod = apiserver::prepare_for_create(defaulted(pod_text()), "default")->pod;
  if (!apiserver::validate_create(pod).empty()) state.SkipWithError("the Pod is not valid");
  for (auto _ : state) benchmark::DoNotOptimize(apiserver::validate_create(pod));
}
BENCHMARK(beside_recorder_validation);

/// Measures everything from the Pod's bytes on: reading, decoding, defaulting, preparation, validation.
void beside_recorder_validation_from_bytes(benchmark::State& state) {
  const std::string text = document::write_json(defaulted(pod_text()));
  for (auto _ : state) {
    const Value sent = *document::read_json(text, {}, document::Strictness::foreign);
    benchmark::DoNotOptimize(apiserver::errors_of_request("create", sent, {}));
  }
}
BENCHMARK(beside_recorder_validation_from_bytes);

/// Measures the answer alone of KServe's whole webhook, in its newest release, for the same Pod with a label
/// that makes it act.
void beside_recorder_kserve_mutation(benchmark::State& state) {
  const char* name = "kserve/pod-mutator";
  const runner::Subject subject = injectors::find_subject(name).value();
  cases::Case value;
  value.cluster.objects = subject.objects;
  const auto handler = injectors::resolve(name).value();
  std::string text =
      pod_text(R"(,"internal.serving.kserve.io/storage-initializer-sourceuri":"gs://models/a",)"
               R"("serving.kserve.io/enable-metric-aggregation":"true")");
  text.replace(text.find("\"team\":\"a\""), 10, R"("serving.kserve.io/inferenceservice":"m")");
  text.replace(text.find("\"c0\""), 4, "\"kserve-container\"");
  const Value pod = defaulted(text), none;
  const webhooks::Call call{.object = pod,
                            .old_object = none,
                            .request = value.request,
                            .cluster = value.cluster,
                            .webhook = "c/w",
                            .review_version = "v1",
                            .uid = "u",
                            .name = "p"};
  const webhooks::Answer answer = handler(call);
  if (!answer.patch || answer.patch->empty()) state.SkipWithError("the webhook does not act");
  for (auto _ : state) benchmark::DoNotOptimize(handler(call));
}
BENCHMARK(beside_recorder_kserve_mutation);

}  // namespace
}  // namespace fixpoint::measure
