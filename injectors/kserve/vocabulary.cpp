#include "injectors/kserve/vocabulary.h"

#include <array>

#include "harness/document/json.h"
#include "injectors/kserve/config.h"
#include "injectors/kserve/vocabulary_objects.h"

namespace fixpoint::injectors::kserve {

namespace {

using runner::NameKind;
using runner::Vocabulary;
using Where = runner::Trigger::Where;

void append(runner::Names::List& words, std::initializer_list<const char*> more) {
  words.insert(words.end(), more.begin(), more.end());
}
std::string internal(const char* name) { return std::string("internal.serving.kserve.io/").append(name); }

void add_accelerator(Vocabulary& words, const Common&) {
  words.add_common(Where::annotation, {{"serving.kserve.io/gke-accelerator", {"nvidia-tesla-t4", ""}}});
}

void add_storage(Vocabulary& words, const Common&) {
  words.add_common(Where::annotation,
                   {{std::string(kSourceUri.text), {"s3://bucket/model", "hf://org/model"}}});
  words.add_rare(Where::annotation,
                 {{std::string(kSourceUri.text),
                   {"pvc://claim/models/a", "pvc://claim", "pvc:///a",
                    "https://acc.blob.core.windows.net/c/m", "oci://registry.example/model:1",
                    "oci+native://registry.example/model:1", "oci+fetch://registry.example/model:1"}},
                  {std::string(kSourceUri.text), {"<scheme-placeholder>://models/a"}},
                  {std::string(kAgent.text), {"true"}},
                  {"storage.kserve.io/readonly", {"false", "true"}},
                  {internal("storage-spec"), {"true", "true", "true", "false"}},
                  {internal("storage-spec-key"), {"k1", "default_s3", "ca", "bad", "odd", "nope", ""}},
                  {internal("storage-spec-param"),
                   {R"({"type":"s3","bucket":"b"})", R"({"type":"s3"})", R"({"region":"eu"})",
                    R"({"type":"s3"})", R"({"type":"hdfs"})", "[1]"}},
                  {internal("storage-container-name"), {"default", "other", "nope"}},
                  {internal("confidential-enabled"), {"true", "yes"}},
                  {internal("confidential-resource-id"), {"kbs:///a/b/c"}},
                  {internal("localmodel-sourceuri"), {"s3://bucket", "s3://bucket/model"}},
                  {internal("localmodel-pvc-name"), {"local-claim"}},
                  {"serving.kserve.io/storageSecretName", {"s3", "gcs", "missing"}},
                  {"serving.kserve.io/storage-initializer-uid", {"1337", "x"}}});
  words.add_rare(Where::label, {{internal("localmodel"), {"model"}}});
  append(words.names[NameKind::container],
         {"kserve-container", "kserve-container", "kserve-container", "transformer-container",
          "worker-container", "storage-initializer"});
  append(words.names[NameKind::init_container], {"storage-initializer", "fetcher"});
  append(words.names[NameKind::volume], {"kserve-provision-location", "kserve-pvc-source",
                                         "kserve-pvc-source", "cabundle-cert", "user-gcp-sa"});
  append(words.names[NameKind::mount_path],
         {"/mnt/models", "/mnt/pvc", "/etc/ssl/custom-certs", "/var/secrets/"});
  append(words.names[NameKind::env], {"STORAGE_URI", "STORAGE_URI", "AWS_CA_BUNDLE_CONFIGMAP", "HF_TOKEN"});
}

void add_istio(Vocabulary& words, const Common&) {
  words.add_common(
      Where::annotation,
      {{"sidecar.istio.io/interceptionMode", {"REDIRECT", "TPROXY"}},
       {"sidecar.istio.io/status", {R"({"containers":["istio-proxy"]})", R"({"containers":[]})", "{}"}}});
  words.add_rare(Where::annotation,
                 {{"serving.kserve.io/storage-initializer-uid", {"1337", "x", "-1"}},
                  {"sidecar.istio.io/status", {"[]", "null", "{", R"({"containers":[1]})"}}});
  append(words.names[NameKind::container], {"istio-proxy", "istio-proxy", "istio-proxy"});
  append(words.names[NameKind::init_container], {"storage-initializer", "storage-initializer", "istio-init"});
}

void add_agent(Vocabulary& words, const Common&) {
  words.add_common(Where::annotation, {{internal("logger"), {"true", ""}}});
  words.add_rare(Where::annotation,
                 {{internal("batcher"), {"true"}},
                  {internal("agent"), {"true"}},
                  {internal("modelDir"), {"/mnt/models"}},
                  {internal("configVolumeName"), {"modelconfig-model-0"}},
                  {internal("configMountPath"), {"/mnt/configs"}},
                  {internal("batcher-max-batchsize"), {"32", "many"}},
                  {internal("batcher-max-latency"), {"500"}},
                  {internal("logger-sink-url"), {"http://sink.example/", ""}},
                  {internal("logger-mode"), {"request", "response"}},
                  {internal("logger-metadata-headers"), {"x-a,x-b"}},
                  {internal("logger-metadata-annotations"),
                   {"team.example.io/owner,none", "team.example.io/owner,team.example.io/stage", ""}},
                  {"team.example.io/owner", {"ml", "ml,ops"}},
                  {"team.example.io/stage", {"test"}}});
  words.add_rare(Where::label, {{"endpoint", {"default"}}, {"component", {"predictor", "transformer"}}});
  append(words.names[NameKind::container],
         {"kserve-container", "kserve-container", "transformer-container", "queue-proxy", "agent"});
  append(words.names[NameKind::volume], {"model-dir", "model-config", "agent-ca-bundle"});
  append(words.names[NameKind::mount_path], {"/mnt/models", "/mnt/configs", "/etc/tls/logger"});
  append(words.names[NameKind::env], {"USER_PORT", "SERVING_READINESS_PROBE"});
  append(words.names[NameKind::port_name], {"agent-port"});
  words.names[NameKind::port].push_back(9081);
}

void add_metrics(Vocabulary& words, const Common&) {
  words.add_common(Where::annotation, {{"serving.kserve.io/enable-metric-aggregation", {"true", "false", ""}},
                                       {"serving.kserve.io/enable-prometheus-scraping", {"true", "false"}},
                                       {"prometheus.kserve.io/port", {"9090", "http"}},
                                       {"prometheus.kserve.io/path", {"/v1/metrics"}},
                                       {"prometheus.io/port", {"8080"}}});
  append(words.names[NameKind::container], {"queue-proxy", "kserve-container"});
  append(words.names[NameKind::env],
         {"KSERVE_CONTAINER_PROMETHEUS_METRICS_PORT", "KSERVE_CONTAINER_PROMETHEUS_METRICS_PATH",
          "AGGREGATE_PROMETHEUS_METRICS_PORT"});
  append(words.names[NameKind::port_name], {"aggr-metric"});
  words.names[NameKind::port].push_back(9088);
}

void add_modelcar(Vocabulary& words, const Common&) {
  words.add_common(Where::annotation,
                   {{std::string(kSourceUri.text), {"oci://registry.example/model:1", "s3://bucket/model"}}});
  words.add_rare(Where::annotation,
                 {{std::string(kSourceUri.text),
                   {"oci+native://registry.example/model:1", "oci+modelcar://registry.example/model:1",
                    "oci://registry.example/model'name"}}});
  append(words.names[NameKind::container],
         {"kserve-container", "transformer-container", "worker-container", "modelcar", "modelcar-init"});
  append(words.names[NameKind::init_container], {"modelcar-init"});
  append(words.names[NameKind::volume], {"kserve-provision-location", "mnt-models"});
  append(words.names[NameKind::mount_path], {"/mnt", "/mnt/models"});
  append(words.names[NameKind::env], {"MODEL_INIT_MODE"});
}

/// The vocabulary of each injector, in the order of the composed webhook.
struct Part {
  std::string_view injector;
  void (*add)(Vocabulary& words, const Common& release);
  unsigned sections;  ///< those that it reads of the config map
};
constexpr std::array<Part, 6> kParts{
    {{"kserve/accelerator", add_accelerator, kNoSection},
     {"kserve/storage-initializer", add_storage, kCredentials | kStorage},
     {"kserve/istio-cni", add_istio, kNoSection},
     {"kserve/agent", add_agent, kCredentials | kLogger | kBatcher | kAgentSection},
     {"kserve/metrics-aggregator", add_metrics, kMetrics},
     {"kserve/modelcar", add_modelcar, kStorage}}};

}  // namespace

runner::Vocabulary vocabulary_of(std::string_view injector, const Common& release) {
  Vocabulary words;
  words.add_common(Where::label, {{std::string(kGateLabel.text), {"sklearn-iris", ""}}});
  words.names[NameKind::main_container] = {"kserve-container"};
  const bool is_whole = injector == "kserve/pod-mutator";
  // Alone, these two act on input from the user or from another step; in the composed webhook that input
  // exists.
  if (injector == "kserve/accelerator")
    words.add_common(Where::field, {{"spec.containers[*].resources.limits['nvidia.com/gpu']", {R"("1")"}}});
  if (injector == "kserve/istio-cni")
    words.add_common(Where::field,
                     {{"spec.initContainers", {R"([{"name":"storage-initializer","image":"kserve:1"}])"}}});
  unsigned sections = kNoSection;
  for (const Part& part : kParts) {
    if (!is_whole && part.injector != injector) continue;
    part.add(words, release);
    sections |= part.sections;
  }
  words.objects = object_alternatives(config_map_of(injector, release), sections, release);
  return words;
}

Value config_map_of(std::string_view injector, const Common& release) {
  Value map = shipped_config_map(release);
  if (injector != "kserve/modelcar") return map;
  return config_map_with(
      map, "storageInitializer",
      storage_section(R"(, "cpuModelcar": "10m", "memoryModelcar": "15Mi", "enableModelcar": true)"));
}

}  // namespace fixpoint::injectors::kserve
