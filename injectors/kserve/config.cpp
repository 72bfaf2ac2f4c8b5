#include "injectors/kserve/config.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "harness/apiserver/types/quantity.h"
#include "injectors/kserve/go_json.h"

namespace fixpoint::injectors::kserve {

namespace {

using apiserver::Quantity;

constexpr GoField kS3Fields[] = {
    {"s3AccessKeyIDName"},
    {"s3SecretAccessKeyName"},
    {"s3Endpoint"},
    {"s3UseHttps"},
    {"s3Region"},
    {"s3VerifySSL"},
    {"s3UseVirtualBucket"},
    {"s3UseAccelerate", GoKind::text, 1200},
    {"s3UseAnonymousCredential"},
    {"s3CABundleConfigMap", GoKind::text, 1200},
    {"s3CABundle"},
};
constexpr GoField kGcsFields[] = {{"gcsCredentialFileName"}};
constexpr GoField kCredentialFields[] = {
    {"s3", GoKind::object, 0, kS3Fields},
    {"gcs", GoKind::object, 0, kGcsFields},
    {"storageSpecSecretName"},
    {"storageSecretNameAnnotation"},
};
constexpr GoField kStorageFields[] = {
    {"image"},
    {"cpuRequest"},
    {"cpuLimit"},
    {"memoryRequest"},
    {"memoryLimit"},
    {"cpuModelcar", GoKind::text, 1200},
    {"memoryModelcar", GoKind::text, 1200},
    {"caBundleConfigMapName", GoKind::text, 1200},
    {"caBundleVolumeMountPath", GoKind::text, 1200},
    {"enableDirectPvcVolumeMount", GoKind::boolean},
    {"enableModelcar", GoKind::boolean, 1200},
    {"uidModelcar", GoKind::integer, 1200},
    {"enableOciModelSupport", GoKind::boolean, 2000},
    {"ociModelMode", GoKind::text, 2000},
};
constexpr GoField kStoreFields[] = {
    {"path"}, {"schemaPath"}, {"parameters", GoKind::texts}, {"key"}, {"serviceAccountName"}};
constexpr GoField kLoggerFields[] = {
    {"image"},
    {"cpuRequest"},
    {"cpuLimit"},
    {"memoryRequest"},
    {"memoryLimit"},
    {"defaultUrl"},
    {"caBundle", GoKind::text, 1400},
    {"caCertFile", GoKind::text, 1400},
    {"tlsSkipVerify", GoKind::boolean, 1400},
    {"storage", GoKind::object, 1600, kStoreFields},
    {"marshallerUrl", GoKind::text, 1700},
    {"batchSize", GoKind::integer, 1700},
    {"batchInterval", GoKind::text, 1700},
};
constexpr GoField kBatcherFields[] = {{"image"},       {"cpuRequest"},   {"cpuLimit"},  {"memoryRequest"},
                                      {"memoryLimit"}, {"maxBatchSize"}, {"maxLatency"}};
constexpr GoField kAgentFields[] = {
    {"image"}, {"cpuRequest"}, {"cpuLimit"}, {"memoryRequest"}, {"memoryLimit"}};
constexpr GoField kMetricsFields[] = {{"enableMetricAggregation"}, {"enablePrometheusScraping"}};

/// A section, its fields for Go's decoder, and the rules that it must meet. Upstream parses them in this
/// order.
struct Row {
  Section section;
  const char* key;
  std::span<const GoField> fields;
  bool null_crashes;      ///< upstream holds the section by a pointer
  bool needs_quantities;  ///< the four amounts of a container's resources
  Value Config::* into;
  Value Config::* resources;  ///< or nullptr
};
constexpr auto kRows = std::to_array<Row>({
    {kCredentials, "credentials", kCredentialFields, false, false, &Config::credentials, nullptr},
    {kStorage, "storageInitializer", kStorageFields, true, true, &Config::storage,
     &Config::storage_resources},
    {kLogger, "logger", kLoggerFields, true, true, &Config::logger, nullptr},
    {kBatcher, "batcher", kBatcherFields, true, true, nullptr, nullptr},
    {kAgentSection, "agent", kAgentFields, true, true, &Config::agent, &Config::agent_resources},
    {kMetrics, "metricsAggregator", kMetricsFields, true, false, &Config::metrics, nullptr},
});

bool is_quantity(const Value& value) { return Quantity::parse(value.text()).has_value(); }

Value canonical(const Value& value) {
  std::string buffer;
  return Value(*apiserver::canonical_quantity(value.text(), buffer));
}

Value resources_of(const Value& section) {
  return {
      {"limits", {{"cpu", canonical(section["cpuLimit"])}, {"memory", canonical(section["memoryLimit"])}}},
      {"requests",
       {{"cpu", canonical(section["cpuRequest"])}, {"memory", canonical(section["memoryRequest"])}}}};
}

Problem check_quantities(const Row& row, const Value& section) {
  for (const char* key : {"memoryRequest", "memoryLimit", "cpuRequest", "cpuLimit"}) {
    if (!is_quantity(section[key])) {
      return refuse("Failed to parse resource configuration for \"" + std::string(row.key) + "\": bad " +
                    key);
    }
  }
  return std::nullopt;
}

/// Checks the amounts of modelcars. 0.16 requires them; from 0.17.0 on they are checked if set (#5083).
/// Before 0.16, a bad amount crashes the step that uses it.
Problem check_modelcar_amounts(const Value& storage, const Common& release) {
  if (release.number < 1600) return std::nullopt;
  for (const char* key : {"cpuModelcar", "memoryModelcar"}) {
    if (storage[key].text().empty() && release.number >= 1700) continue;
    if (!is_quantity(storage[key])) {
      return refuse("failed to parse resource configuration for \"storageInitializer\"." + std::string(key));
    }
  }
  return std::nullopt;
}

/// Returns the limits and requests of modelcars, as resource.MustParse reads them.
Value resources_of_cars(const Value& storage) {
  Value amounts = Value::empty_object();
  for (const auto& [name, key, fallback] :
       {std::tuple("cpu", "cpuModelcar", "10m"), {"memory", "memoryModelcar", "15Mi"}}) {
    const Value text = storage[key].text().empty() ? Value(fallback) : storage[key];
    if (!is_quantity(text)) return {};
    amounts.set(name, canonical(text));
  }
  return {{"limits", amounts}, {"requests", amounts}};
}

Problem resolve_oci_mode(Config& config, const Common& release) {
  const Value& storage = config.storage;
  if (storage["enableModelcar"].is_true()) config.oci_mode = kOciModelcar;
  if (release.number < 2000) return std::nullopt;
  if (storage["enableOciModelSupport"].is_true()) config.oci_mode = kOciModelcar;
  const std::string_view wanted = storage["ociModelMode"].text();
  if (wanted.empty()) return std::nullopt;
  for (const std::string_view mode : {kOciModelcar, kOciNative, kOciFetch}) {
    if (mode == wanted) config.oci_mode = mode;
  }
  if (config.oci_mode == wanted) return std::nullopt;
  return refuse("invalid \"storageInitializer\".ociModelMode \"" + std::string(wanted) + "\"");
}

Problem read_section(const Row& row, const Value& data, const Common& release, Config& config) {
  Value section = Value::empty_object();
  if (const Value* text = data.find(row.key)) {
    const auto read = unmarshal(text->text(), row.fields, release.number);
    if (!read) return crash("unable to unmarshal " + std::string(row.key));
    if (read->is_null() && row.null_crashes) return crash("a nil pointer of " + std::string(row.key));
    if (!read->is_null()) section = *read;
  }
  if (row.needs_quantities) {
    if (Problem problem = check_quantities(row, section)) return problem;
  }
  if (row.into != nullptr) config.*row.into = section;
  if (row.resources != nullptr) config.*row.resources = resources_of(section);
  if (row.section != kStorage) return std::nullopt;
  if (Problem problem = check_modelcar_amounts(section, release)) return problem;
  config.car_resources = resources_of_cars(section);
  return resolve_oci_mode(config, release);
}

std::shared_ptr<const Config> parse(const Value& data, unsigned sections, const Common& release) {
  auto config = std::make_shared<Config>();
  for (const Row& row : kRows) {
    if ((sections & row.section) == 0) continue;
    config->problem = read_section(row, data, release, *config);
    if (config->problem) break;
  }
  return config;
}

struct Remembered {
  Value data;
  unsigned sections = 0;
  const Common* release = nullptr;
  std::shared_ptr<const Config> config = nullptr;
};
constexpr std::size_t kRememberedMax = 32;

/// Returns the four amounts that every container's section has.
std::string amounts(std::string_view memory_request, std::string_view cpu_request,
                    std::string_view cpu_limit) {
  return std::string("\"memoryRequest\": \"")
      .append(memory_request)
      .append("\", \"memoryLimit\": \"1Gi\", \"cpuRequest\": \"")
      .append(cpu_request)
      .append("\", \"cpuLimit\": \"")
      .append(cpu_limit)
      .append("\"");
}

std::string shipped_storage(const Common& release) {
  std::string text = R"({"image": "kserve/storage-initializer:latest", )" + amounts("100Mi", "100m", "1");
  if (release.number >= 1200) {
    text += R"(, "caBundleConfigMapName": "", "caBundleVolumeMountPath": "/etc/ssl/custom-certs")";
    text += R"(, "cpuModelcar": "10m", "memoryModelcar": "15Mi")";
  }
  if (release.number < 1600) {
    text += release.number >= 1200 ? R"(, "enableDirectPvcVolumeMount": true)"
                                   : R"(, "enableDirectPvcVolumeMount": false)";
  }
  if (release.number >= 1501) {
    text += R"(, "enableModelcar": true, "uidModelcar": 1010)";
  } else if (release.number >= 1200) {
    text += R"(, "enableModelcar": false)";
  }
  return text + "}";
}

}  // namespace

std::string_view explicit_oci_mode(std::string_view uri) {
  constexpr std::string_view kPrefix = "oci+";
  if (!uri.starts_with(kPrefix)) return {};
  const std::string_view rest = uri.substr(kPrefix.size());
  const auto end = rest.find("://");
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

std::shared_ptr<const Config> read_config(const Value& config_map, unsigned sections, const Common& release) {
  thread_local std::vector<Remembered> memory(kRememberedMax);
  thread_local std::size_t next = 0;
  const Value& data = config_map["data"];
  for (const Remembered& known : memory) {
    if (known.config != nullptr && known.data.same(data) && known.sections == sections &&
        known.release == &release)
      return known.config;
  }
  Remembered& place = memory[next++ % kRememberedMax];
  place = {data, sections, &release, parse(data, sections, release)};
  return place.config;
}

Value logger_of(const Config& config, const Value* inference_service, const Common& release) {
  Value logger = config.logger;
  if (release.number < 1600 || inference_service == nullptr) return logger;
  const Value& own = (*inference_service)["spec"]["predictor"]["logger"];
  if (!own.is_object()) return logger;
  const auto read = fill(own, kLoggerFields, release.number);
  if (!read) return logger;
  logger.set("storage", (*read)["storage"]);
  for (const char* key : {"marshallerUrl", "batchSize", "batchInterval"}) {
    if (!(*read)[key].is_null()) logger.set(key, (*read)[key]);
  }
  return logger;
}

Value shipped_config_map(const Common& release) {
  const std::string container = amounts("100Mi", "100m", "1");
  const std::string logger =
      R"({"image": "kserve/agent:latest", )" + container + R"(, "defaultUrl": "http://default-broker")" +
      (release.number >= 1400 ? R"(, "caBundle": "", "caCertFile": "", "tlsSkipVerify": false})" : "}");
  return {
      {"apiVersion", "v1"},
      {"kind", "ConfigMap"},
      {"metadata", {{"name", kConfigMap}, {"namespace", kSystemNamespace}}},
      {"data",
       {{"agent", R"({"image": "kserve/agent:latest", )" + container + "}"},
        {"batcher", R"({"image": "kserve/agent:latest", )" + amounts("1Gi", "1", "1") +
                        R"(, "maxBatchSize": "32", "maxLatency": "5000"})"},
        {"logger", logger},
        {"metricsAggregator", R"({"enableMetricAggregation": "false", "enablePrometheusScraping": "false"})"},
        {"storageInitializer", shipped_storage(release)}}}};
}

Value config_map_with(Value map, std::string_view section, std::string_view text) {
  map.edit("data").set(section, text);
  return map;
}

}  // namespace fixpoint::injectors::kserve
