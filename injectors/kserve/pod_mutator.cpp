#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/decoding/decode.h"
#include "harness/document/diff.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/kserve.h"
#include "injectors/kserve/step_input.h"
#include "injectors/kserve/vocabulary.h"

namespace fixpoint::injectors::kserve {

namespace {

using webhooks::Answer;
using webhooks::Call;

/// A step, the sections of the config map that it needs, and the first release that has it.
struct Row {
  const char* name;
  const char* sentence;
  Step step;
  unsigned sections;
  int since;
};
/// The composed webhook; its steps are below, in upstream's order.
constexpr const char* kWhole = "kserve/pod-mutator";

constexpr auto kSteps = std::to_array<Row>({
    {"kserve/accelerator", "KServe: selects nodes with the GPU that an annotation names.", select_accelerator,
     kNoSection, 0},
    {"kserve/storage-initializer", "KServe: downloads the model in an init container, or mounts its claim.",
     initialize_storage, kCredentials | kStorage, 0},
    {"kserve/istio-cni", "KServe: runs the storage initializer as Istio's sidecar does.", set_istio_context,
     kNoSection, 1200},
    {"kserve/agent", "KServe: adds the agent that logs, batches and pulls models.", inject_agent,
     kCredentials | kLogger | kBatcher | kAgentSection, 0},
    {"kserve/metrics-aggregator", "KServe: aggregates the metrics of queue-proxy and the model server.",
     aggregate_metrics, kMetrics, 0},
    {"kserve/modelcar", "KServe: serves a model from an OCI image in a sidecar.", inject_modelcar, kStorage,
     1200},
});

/// Returns the patch between the bytes of the request and the encoded Pod. A null becomes an operation
/// without a value, because Go omits it.
Value patch_between(const Value& sent, const Value& pod) {
  Value patch = document::diff(sent, pod);
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const Value* value = patch.at(i).find("value");
    if (value != nullptr && value->is_null()) patch.edit(i).remove("value");
  }
  return patch;
}

Answer stopped(const Stop& stop, const Common& release) {
  if (!stop.crashes) return webhooks::deny(500, "", stop.message);
  return release.recovers ? webhooks::recovered(stop.message) : webhooks::fail("EOF (" + stop.message + ")");
}

/// Runs the steps as the handler does (docs/kserve.md#1-2). If one of them stops, no change is applied.
Answer handle(std::span<const Row> steps, unsigned sections, const Common& release, const Call& call) {
  const auto decoded = apiserver::decode_pod(call.object, release.library);
  if (!decoded) return webhooks::deny(400, "", decoded.error().text());
  if ((*decoded)["metadata"]["labels"].find(kGateLabel) == nullptr) {
    reach("mutator/without-label");
    return webhooks::allow();
  }
  const Value* map = call.cluster.find("ConfigMap", kSystemNamespace, kConfigMap);
  if (map == nullptr) {
    reach("mutator/without-config-map");
    return webhooks::deny(500, "", "configmaps \"inferenceservice-config\" not found");
  }
  Value pod = *decoded;
  if (pod["metadata"]["namespace"].text() != call.request.namespace_name)
    pod.edit("metadata").set("namespace", call.request.namespace_name);
  const auto config = read_config(*map, sections, release);
  if (config->problem) {
    config->problem->crashes ? reach("mutator/config-crashed") : reach("mutator/config-refused");
    return stopped(*config->problem, release);
  }
  const StepInput input{call, *config, release};
  for (const Row& row : steps) {
    if (row.since > release.number) continue;
    if (const Problem problem = row.step(pod, input)) return stopped(*problem, release);
  }
  return webhooks::allow_change(call.object, std::move(pod), patch_between);
}

webhooks::Handler around(std::span<const Row> steps, unsigned sections, std::string_view release) {
  return [steps, sections, &row = common(release)](const Call& call) {
    return handle(steps, sections, row, call);
  };
}

/// Returns the subject with its real configuration, the config map as shipped, and the vocabulary that makes
/// the steps act.
runner::Subject subject_of(const char* name, std::string_view release) {
  const Common& row = common(release);
  const Value operations = row.reinvoked ? Value::list({"CREATE"}) : Value::list({"CREATE", "UPDATE"});
  Value webhook{
      {"name", kWebhook},
      {"admissionReviewVersions", Value::list({"v1beta1"})},
      {"sideEffects", "None"},
      {"failurePolicy", "Fail"},
      {"objectSelector",
       {{"matchExpressions", Value::list({Value{{"key", kGateLabel.text}, {"operator", "Exists"}}})}}},
      {"namespaceSelector",
       {{"matchExpressions", Value::list({Value{{"key", "control-plane"}, {"operator", "DoesNotExist"}}})}}},
      {"rules", Value::list({Value{{"apiGroups", Value::list({""})},
                                   {"apiVersions", Value::list({"v1"})},
                                   {"operations", operations},
                                   {"resources", Value::list({"pods"})}}})}};
  if (row.reinvoked) webhook.set("reinvocationPolicy", "IfNeeded");
  runner::Subject subject;
  subject.name = std::string(name).append("@").append(release);
  subject.configuration = {{"apiVersion", "admissionregistration.k8s.io/v1"},
                           {"kind", "MutatingWebhookConfiguration"},
                           {"metadata", {{"name", kConfiguration}}},
                           {"webhooks", Value::list({webhook})}};
  subject.webhooks = {
      {std::string(kConfiguration).append("/").append(kWebhook), cases::InjectorName{subject.name}}};
  subject.objects = {config_map_of(name, row)};
  subject.vocabulary = vocabulary_of(name, row);
  return subject;
}

Injector injector_of(const char* name, const char* sentence, std::span<const Row> steps, unsigned sections,
                     std::span<const std::string_view> releases) {
  return {name,
          sentence,
          Role::subject,
          releases,
          [name](std::string_view release) { return subject_of(name, release); },
          [steps, sections](std::string_view release) { return around(steps, sections, release); },
          kWhole};
}

/// Returns the releases from the first one that has the step.
std::span<const std::string_view> releases_of(const Row& row) {
  const std::span<const std::string_view> all = kReleases;
  const auto first =
      std::find_if(all.begin(), all.end(), [&](auto release) { return common(release).number >= row.since; });
  return all.subspan(static_cast<std::size_t>(first - all.begin()));
}

}  // namespace

std::vector<Injector> pod_injectors() {
  std::vector<Injector> all{injector_of(kWhole,
                                        "KServe: the whole webhook for Pods, all injectors in their order.",
                                        kSteps, kAllSections, kReleases)};
  for (const Row& row : kSteps)
    all.push_back(injector_of(row.name, row.sentence, {&row, 1}, row.sections, releases_of(row)));
  return all;
}

}  // namespace fixpoint::injectors::kserve
