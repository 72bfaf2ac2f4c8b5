#include "injectors/kserve/vocabulary_objects.h"

#include <array>

#include "harness/document/json.h"
#include "injectors/kserve/config.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr std::string_view kAmounts =
    R"({"memoryRequest": "100Mi", "memoryLimit": "1Gi", "cpuRequest": "100m", "cpuLimit": "1")";

/// Another text for a section: the four amounts and `more` if that begins with a comma, else `more` alone.
struct Variation {
  Section section;
  const char* key;
  const char* more;
};
constexpr auto kVariations = std::to_array<Variation>({
    {kStorage, "storageInitializer", R"(, "enableModelcar": true)"},
    {kStorage, "storageInitializer", R"(, "enableModelcar": true, "uidModelcar": 1010)"},
    {kStorage, "storageInitializer",
     R"(, "enableModelcar": true, "uidModelcar": 0, "cpuModelcar": "20m", "memoryModelcar": "30Mi")"},
    {kStorage, "storageInitializer", R"(, "enableModelcar": true, "cpuModelcar": "much")"},
    {kStorage, "storageInitializer", R"(, "enableDirectPvcVolumeMount": false)"},
    {kStorage, "storageInitializer", R"(, "enableDirectPvcVolumeMount": true)"},
    {kStorage, "storageInitializer", R"(, "caBundleConfigMapName": "ca")"},
    {kStorage, "storageInitializer",
     R"(, "caBundleConfigMapName": "ca",
        "caBundleVolumeMountPath": "/mnt/models")"},
    {kStorage, "storageInitializer", R"(, "ociModelMode": "native")"},
    {kStorage, "storageInitializer", R"(, "ociModelMode": "fetch")"},
    {kStorage, "storageInitializer", R"(, "ociModelMode": "odd")"},
    {kStorage, "storageInitializer", R"(, "enableOciModelSupport": true)"},
    {kStorage, "storageInitializer", R"(, "image": 1)"},
    {kStorage, "storageInitializer", "null"},
    {kStorage, "storageInitializer", R"({"memoryRequest": "1Gx"})"},
    {kCredentials, "credentials", R"({"s3": {"s3Endpoint": "minio:9000", "s3UseHttps": "0"}})"},
    {kCredentials, "credentials", R"({"s3": {"s3Endpoint": "http://minio:9000", "s3Region": "eu"}})"},
    {kCredentials, "credentials", R"({"s3": {"s3CABundleConfigMap": "certs", "s3CABundle": "/c/ca.crt"}})"},
    {kCredentials, "credentials",
     R"({"storageSecretNameAnnotation": "serving.kserve.io/storageSecretName"})"},
    {kCredentials, "credentials", R"({"gcs": {"gcsCredentialFileName": "sa.json"}})"},
    {kCredentials, "credentials", R"({"storageSpecSecretName": "none-such"})"},
    {kCredentials, "credentials", "[]"},
    {kLogger, "logger", R"(, "caBundle": "log-ca", "caCertFile": "ca.crt", "tlsSkipVerify": true)"},
    {kLogger, "logger", R"(, "caBundle": "log-ca", "defaultUrl": "http://broker")"},
    {kLogger, "logger", R"(, "storage": {"path": "logs", "parameters": {"format": "json"}})"},
    {kLogger, "logger", R"(, "storage": {"serviceAccountName": "default"})"},
    {kLogger, "logger", R"(, "batchSize": 2, "batchInterval": "5s")"},
    {kLogger, "logger", "{}"},
    {kAgentSection, "agent", R"(, "image": "agent:2")"},
    {kAgentSection, "agent", "{"},
    {kBatcher, "batcher", "{}"},
    {kMetrics, "metricsAggregator",
     R"({"enableMetricAggregation": "true", "enablePrometheusScraping": "true"})"},
    {kMetrics, "metricsAggregator",
     R"({"enableMetricAggregation": "false", "enablePrometheusScraping": "true"})"},
    {kMetrics, "metricsAggregator", R"({"enableMetricAggregation": "true"})"},
    {kMetrics, "metricsAggregator", "{}"},
    {kMetrics, "metricsAggregator", R"({"enableMetricAggregation": true})"},
});

std::vector<Value> config_maps(const Value& map, unsigned sections) {
  std::vector<Value> found;
  for (const Variation& variation : kVariations) {
    if ((sections & variation.section) == 0) continue;
    const std::string_view more = variation.more;
    // 0.16.0 requires the amounts of modelcars. If two members have one name, the later one counts.
    const bool is_storage = variation.section == kStorage;
    const std::string_view car =
        is_storage ? R"(, "cpuModelcar": "10m", "memoryModelcar": "15Mi")" : std::string_view();
    const std::string text =
        more.starts_with(',') ? std::string(kAmounts).append(car).append(more) + "}" : std::string(more);
    found.push_back(config_map_with(map, variation.key, text));
  }
  // Half of all Cases have the unchanged map; that alternative comes first.
  std::vector<Value> all(found.size(), Value());
  all.insert(all.end(), found.begin(), found.end());
  return all;
}

std::vector<Value> listed(const char* text) {
  const Value list = document::read_json(text).value();
  return {list.elements().begin(), list.elements().end()};
}

constexpr const char* kAccounts = R"([null, null,
  {"metadata": {"name": "default"}, "secrets": [{"name": "s3"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "s3"}, {"name": "s3-full"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "gcs"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "gcs"}, {"name": "gcs-2"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "gcs-own"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "azure"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "azure"}, {"name": "azure-2"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "azure-key"}, {"name": "https"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "azure-token"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "hdfs"}, {"name": "hf"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "hf"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "s3-ca"}]},
  {"metadata": {"name": "default"}, "secrets": [{"name": "missing"}]},
  {"metadata": {"name": "default", "annotations": {"eks.amazonaws.com/role-arn": "arn:x",
    "serving.kserve.io/s3-region": "eu"}}},
  {"metadata": {"name": "default", "annotations": {"eks.amazonaws.com/role-arn": "arn:x"}},
   "secrets": [{"name": "s3"}]}])";

constexpr const char* kLoggerAccounts = R"([null,
  {"metadata": {"name": "logger-sa"}, "secrets": [{"name": "s3"}]},
  {"metadata": {"name": "logger-sa"}, "secrets": [{"name": "gcs"}]}])";

/// Either all secrets exist or all are missing, so that the secrets of an account mostly exist.
constexpr const char* kSecrets = R"([
  {"metadata": {"name": "s3", "annotations": {"serving.kserve.io/s3-endpoint": "minio:9000",
    "serving.kserve.io/s3-usehttps": "0"}}, "data": {"awsAccessKeyID": "aWQ=", "awsSecretAccessKey": "a2V5"}},
  {"metadata": {"name": "s3-full", "annotations": {"serving.kserve.io/s3-verifyssl": "0",
    "serving.kserve.io/s3-useanoncredential": "true", "serving.kserve.io/s3-useaccelerate": "true"}},
   "data": {"awsAccessKeyID": "aWQ=", "awsSecretAccessKey": "a2V5",
    "S3_ENDPOINT": "aHR0cHM6Ly9taW5pby5leGFtcGxl"}},
  {"metadata": {"name": "s3-ca", "annotations": {"serving.kserve.io/s3-cabundle-configmap": "certs",
    "serving.kserve.io/s3-cabundle": "/path/to/ca.crt"}}, "data": {"awsSecretAccessKey": "a2V5"}},
  {"metadata": {"name": "gcs"}, "data": {"gcloud-application-credentials.json": "e30="}},
  {"metadata": {"name": "gcs-2"}, "data": {"gcloud-application-credentials.json": "e30="}},
  {"metadata": {"name": "gcs-own"}, "data": {"sa.json": "e30="}},
  {"metadata": {"name": "azure"}, "data": {"AZ_CLIENT_ID": "YQ==", "AZ_TENANT_ID": "dA=="}},
  {"metadata": {"name": "azure-2"}, "data": {"AZURE_CLIENT_ID": "YQ==", "AZURE_CLIENT_SECRET": "Yg=="}},
  {"metadata": {"name": "azure-key"}, "data": {"AZURE_STORAGE_ACCESS_KEY": "aw=="}},
  {"metadata": {"name": "azure-token"}, "data": {"AZURE_ACCESS_TOKEN": "dA=="}},
  {"metadata": {"name": "https"}, "data": {"https-host": "aC5leGFtcGxl", "headers": "YTogYg=="}},
  {"metadata": {"name": "hdfs"}, "data": {"HDFS_NAMENODE": "bm4="}},
  {"metadata": {"name": "hf"}, "data": {"HF_TOKEN": "aGZfZXhhbXBsZXRva2Vu"}},
  {"metadata": {"name": "storage-config"}, "data": {
    "k1": "eyJ0eXBlIjogInMzIiwgImJ1Y2tldCI6ICJia3QifQ==",
    "default_s3": "eyJ0eXBlIjogInMzIiwgImJ1Y2tldCI6ICJkYiJ9",
    "ca": "eyJ0eXBlIjogInMzIiwgImJ1Y2tldCI6ICJiIiwgImNhYnVuZGxlX2NvbmZpZ21hcCI6ICJjbS1jYSJ9",
    "bad": "bm90IGpzb24=", "odd": "eyJ0eXBlIjogImZ0cCJ9"}}])";

constexpr const char* kStorageContainers = R"JSON([null, null, null, null, null, null,
  {"container": {"name": "storage-initializer", "image": "fetch:2", "args": ["--go"]},
   "supportedUriFormats": [{"prefix": "s3://"}, {"prefix": "hf://"}]},
  {"container": {"name": "fetcher", "image": "fetch:2"},
   "supportedUriFormats": [{"regex": "^s3:"}, {"prefix": "hf://"}]},
  {"container": {"name": "", "image": "fetch:2",
    "env": [{"name": "AWS_SECRET_ACCESS_KEY", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "CA_BUNDLE_CONFIGMAP_NAME", "value": "mine"}],
    "resources": {"limits": {"memory": "2Gi"}}},
   "supportedUriFormats": [{"prefix": "s3://"}]},
  {"container": {"name": "storage-initializer", "image": "fetch:2",
    "env": [{"name": "S3_ENDPOINT", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}]},
   "supportedUriFormats": [{"prefix": "s3://"}]},
  {"container": {"name": "storage-initializer", "image": "fetch:2",
    "env": [{"name": "FETCH_MODE", "value": "fast"}, {"name": "AWS_ACCESS_KEY_ID", "value": "own"}],
    "volumeMounts": [{"name": "data", "mountPath": "/mnt/models"}]},
   "supportedUriFormats": [{"prefix": "s3://"}, {"regex": "https://(.+?).blob.core.windows.net/(.+)"
}]
},
  {"container": {"name": "storage-initializer", "image": "fetch:2"},
   "supportedUriFormats": [{"regex": "("}]}])JSON";

constexpr const char* kServices = R"([null, null,
  {"logger": {"storage": {"path": "logs", "parameters": {"format": "json"}}, "batchSize": 4}},
  {"logger": {"storage": {"serviceAccountName": "default"}, "marshallerUrl": "http://m"}},
  {"logger": {"mode": "all"}}, {"model": {"modelFormat": {"name": "sklearn"}}}])";

/// Sets the members that all objects of a kind have; a null stays null.
std::vector<Value> of_kind(std::vector<Value> objects, const char* api_version, const char* kind) {
  for (Value& object : objects) {
    if (object.is_null()) continue;
    object.set("apiVersion", api_version);
    object.set("kind", kind);
  }
  return objects;
}

std::vector<Value> storage_containers(const char* name) {
  std::vector<Value> specs = listed(kStorageContainers), objects;
  for (Value& spec : specs) {
    if (spec.is_null()) {
      objects.emplace_back();
      continue;
    }
    spec.set("workloadType", "initContainer");
    objects.push_back({{"metadata", {{"name", name}}}, {"spec", spec}});
  }
  Value disabled = objects[7], elsewhere = objects[7];
  disabled.set("disabled", true);
  elsewhere.edit("spec").set("workloadType", "localModelDownloadJob");
  objects.push_back(disabled);
  objects.push_back(elsewhere);
  return of_kind(std::move(objects), "serving.kserve.io/v1alpha1", "ClusterStorageContainer");
}

std::vector<Value> inference_services() {
  std::vector<Value> objects;
  for (const Value& predictor : listed(kServices)) {
    objects.push_back(predictor.is_null() ? Value()
                                          : Value{{"metadata", {{"name", "sklearn-iris"}}},
                                                  {"spec", {{"predictor", predictor}}}});
  }
  return of_kind(std::move(objects), "serving.kserve.io/v1beta1", "InferenceService");
}

}  // namespace

std::string storage_section(std::string_view more) {
  return std::string(R"({"image": "kserve/storage-initializer:latest", )")
      .append(kAmounts.substr(1))
      .append(more)
      .append("}");
}

std::vector<std::vector<Value>> object_alternatives(const Value& map, unsigned sections,
                                                    const Common& release) {
  std::vector<std::vector<Value>> alternatives;
  if (auto maps = config_maps(map, sections); !maps.empty()) alternatives.push_back(std::move(maps));
  if ((sections & kCredentials) != 0) {
    alternatives.push_back(of_kind(listed(kAccounts), "v1", "ServiceAccount"));
    for (Value& secret : of_kind(listed(kSecrets), "v1", "Secret")) alternatives.push_back({secret});
  }
  if ((sections & kLogger) != 0 && release.number >= 1600) {
    alternatives.push_back(of_kind(listed(kLoggerAccounts), "v1", "ServiceAccount"));
    alternatives.push_back(inference_services());
  }
  if ((sections & kStorage) != 0 && (sections & kCredentials) != 0) {
    alternatives.push_back(storage_containers("default"));
    alternatives.push_back(storage_containers("other"));
  }
  return alternatives;
}

}  // namespace fixpoint::injectors::kserve
