#include <array>
#include <string>

#include "harness/apiserver/decoding/decode.h"
#include "harness/document/diff.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/kserve.h"
#include "injectors/kserve/scene.h"
#include "injectors/kserve/vocabulary.h"

namespace fixpoint::injectors::kserve {

namespace {

using webhooks::Answer;
using webhooks::Call;

/// A step, the sections of the config map that it needs, and since when the webhook has it.
struct Row {
  const char* name;
  Step step;
  unsigned sections;
  int since;
};
constexpr Row kAccelerator{"kserve/accelerator", select_accelerator, kNoSection, 0};
constexpr Row kInitializer{"kserve/storage-initializer", initialize_storage, kCredentials | kStorage, 0};
constexpr Row kIstio{"kserve/istio-cni", set_istio_context, kNoSection, 1200};
constexpr Row kAgentRow{"kserve/agent", inject_agent, kCredentials | kLogger | kBatcher | kAgentSection, 0};
constexpr Row kMetricsRow{"kserve/metrics-aggregator", aggregate_metrics, kMetrics, 0};
constexpr Row kModelcarRow{"kserve/modelcar", inject_modelcar, kStorage, 1200};
/// In upstream's order.
constexpr std::array<Row, 6> kSteps{kAccelerator, kInitializer, kIstio, kAgentRow, kMetricsRow, kModelcarRow};

/// The patch between the bytes of the request and the encoded Pod; a null comes as a member without a value,
/// as Go leaves it out.
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

/// The handler around its steps (specs: 1.2): nothing of it is applied when one of them stops.
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
  const Scene scene{call, *config, release};
  for (const Row& row : steps) {
    if (row.since > release.number) continue;
    if (const Problem problem = row.step(pod, scene)) return stopped(*problem, release);
  }
  return webhooks::allow_change(call.object, std::move(pod), patch_between);
}

webhooks::Handler around(std::span<const Row> steps, unsigned sections, std::string_view release) {
  return [steps, sections, &row = common(release)](const Call& call) {
    return handle(steps, sections, row, call);
  };
}

webhooks::Handler handler_of(const Row& row, std::string_view release) {
  return around({&row, 1}, row.sections, release);
}

/// The real configuration, the config map as shipped, and what makes the steps act.
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

}  // namespace

runner::Subject pod_mutator_subject(std::string_view release) {
  return subject_of("kserve/pod-mutator", release);
}
webhooks::Handler pod_mutator_handler(std::string_view release) {
  return around(kSteps, kAllSections, release);
}
runner::Subject accelerator_subject(std::string_view release) {
  return subject_of(kAccelerator.name, release);
}
webhooks::Handler accelerator_handler(std::string_view release) { return handler_of(kAccelerator, release); }
runner::Subject storage_initializer_subject(std::string_view release) {
  return subject_of(kInitializer.name, release);
}
webhooks::Handler storage_initializer_handler(std::string_view release) {
  return handler_of(kInitializer, release);
}
runner::Subject istio_cni_subject(std::string_view release) { return subject_of(kIstio.name, release); }
webhooks::Handler istio_cni_handler(std::string_view release) { return handler_of(kIstio, release); }
runner::Subject agent_subject(std::string_view release) { return subject_of(kAgentRow.name, release); }
webhooks::Handler agent_handler(std::string_view release) { return handler_of(kAgentRow, release); }
runner::Subject metrics_subject(std::string_view release) { return subject_of(kMetricsRow.name, release); }
webhooks::Handler metrics_handler(std::string_view release) { return handler_of(kMetricsRow, release); }
runner::Subject modelcar_subject(std::string_view release) { return subject_of(kModelcarRow.name, release); }
webhooks::Handler modelcar_handler(std::string_view release) { return handler_of(kModelcarRow, release); }

}  // namespace fixpoint::injectors::kserve
