#include "injectors/kserve/common.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "injectors/kserve/kserve.h"

namespace fixpoint::injectors::kserve {

namespace {

using webhooks::Answer;
using webhooks::Call;

constexpr std::array<Common, 11> kCommon{{{"0.11.2", false, true},
                                          {"0.12.0", true, true},
                                          {"0.12.1", true, true},
                                          {"0.13.1", true, true},
                                          {"0.14.1", true, true},
                                          {"0.15.0", true, true},
                                          {"0.15.2", true, true},
                                          {"0.16.0", true, true},
                                          {"0.17.0", true, false},
                                          {"0.18.0", true, false},
                                          {"0.20.0", true, false}}};

constexpr const char* kSystemNamespace = "kserve";
constexpr const char* kConfigMap = "inferenceservice-config";

std::array<int, 3> numbers(std::string_view release) {
  std::array<int, 3> parts{};
  const char* at = release.data();
  for (int& part : parts) {
    at = std::from_chars(at, release.data() + release.size(), part).ptr;
    if (at < release.data() + release.size()) ++at;
  }
  return parts;
}

/// The section of the config map; a problem when the webhook crashes on it, or the map is missing.
document::Result<Value> read_section(const cases::Cluster& cluster, const std::string& section) {
  const Value* map = cluster.find("ConfigMap", kSystemNamespace, kConfigMap);
  if (map == nullptr) return document::Error{"configmaps \"inferenceservice-config\" not found"};
  const Value* text = (*map)["data"].find(section);
  if (text == nullptr) return Value();
  return document::read_json(text->text(), {}, document::Strictness::foreign);
}

Value encode(const Value& sent, Value pod, const Common& release) {
  Value patch = document::diff(sent, pod);
  // Older libraries write `creationTimestamp: null`; the patch then adds a member without a value.
  if (release.writes_creation_time && sent["metadata"].find("creationTimestamp") == nullptr) {
    patch.push_back(Value{{"op", "add"}, {"path", "/metadata/creationTimestamp"}});
  }
  return patch;
}

Answer handle(const Step& step, const std::string& section, const Common& release, const Call& call) {
  const Value& labels = call.object["metadata"]["labels"];
  if (labels.find(kGateLabel) == nullptr) return webhooks::allow();
  const auto config = read_section(call.cluster, section);
  if (!config) {
    const bool missing = config.error().message.ends_with("not found");
    return missing ? webhooks::deny(500, "", config.error().message) : webhooks::fail("EOF");
  }
  Value pod = call.object;
  if (pod["metadata"]["namespace"].text() != call.request.namespace_name) {
    pod.edit("metadata").set("namespace", call.request.namespace_name);
  }
  if (const Problem problem = step(pod, call, *config)) return webhooks::deny(500, "", *problem);
  return webhooks::allow(encode(call.object, std::move(pod), release));
}

Value shipped_config_map() {
  return {
      {"apiVersion", "v1"},
      {"kind", "ConfigMap"},
      {"metadata", {{"name", kConfigMap}, {"namespace", kSystemNamespace}}},
      {"data",
       {{"metricsAggregator", R"({"enableMetricAggregation": "false", "enablePrometheusScraping": "false"})"},
        {"storageInitializer",
         R"({"image": "kserve/storage-initializer:latest", "memoryRequest": "100Mi", "memoryLimit": "1Gi", )"
         R"("cpuRequest": "100m", "cpuLimit": "1", "enableModelcar": true})"}}}};
}

}  // namespace

bool is_at_least(std::string_view release, std::string_view other) {
  return numbers(release) >= numbers(other);
}

const Common& common(std::string_view release) {
  const auto found =
      std::find_if(kCommon.begin(), kCommon.end(), [&](const Common& row) { return row.release == release; });
  document::check(found != kCommon.end(), "a release of the catalog has a row");
  return *found;
}

webhooks::Handler around(Step step, std::string section, const Common& release) {
  return [step = std::move(step), section = std::move(section), &release](const Call& call) {
    return handle(step, section, release, call);
  };
}

runner::Subject base_subject(std::string name, std::string_view release) {
  const Common& row = common(release);
  const Value operations = row.reinvoked ? Value::list({"CREATE"}) : Value::list({"CREATE", "UPDATE"});
  Value webhook{
      {"name", kWebhook},
      {"admissionReviewVersions", Value::list({"v1beta1"})},
      {"sideEffects", "None"},
      {"failurePolicy", "Fail"},
      {"objectSelector",
       {{"matchExpressions", Value::list({Value{{"key", kGateLabel}, {"operator", "Exists"}}})}}},
      {"namespaceSelector",
       {{"matchExpressions", Value::list({Value{{"key", "control-plane"}, {"operator", "DoesNotExist"}}})}}},
      {"rules", Value::list({Value{{"apiGroups", Value::list({""})},
                                   {"apiVersions", Value::list({"v1"})},
                                   {"operations", operations},
                                   {"resources", Value::list({"pods"})}}})}};
  if (row.reinvoked) webhook.set("reinvocationPolicy", "IfNeeded");
  runner::Subject subject;
  subject.name = name.append("@").append(release);
  subject.configuration = {{"apiVersion", "admissionregistration.k8s.io/v1"},
                           {"kind", "MutatingWebhookConfiguration"},
                           {"metadata", {{"name", kConfiguration}}},
                           {"webhooks", Value::list({webhook})}};
  subject.webhooks = {
      {std::string(kConfiguration).append("/").append(kWebhook), cases::InjectorName{subject.name}}};
  subject.objects = {shipped_config_map()};
  subject.vocabulary.labels = {{std::string(kGateLabel), {"sklearn-iris", ""}}};
  return subject;
}

std::optional<std::size_t> find_container(const Value& pod, const char* list, std::string_view name) {
  const auto containers = pod["spec"][list].elements();
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (containers[i]["name"].text() == name) return i;
  }
  return std::nullopt;
}

bool has_named(const Value& list, std::string_view name) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(),
                     [&](const Value& e) { return e["name"].text() == name; });
}

void append_env(Value& container, std::string_view name, std::string_view value) {
  Value env{{"name", name}};
  if (!value.empty()) env.set("value", value);
  container.edit("env").push_back(std::move(env));
}

void merge_env(Value& container, std::string_view name, std::string_view value) {
  const auto all = container["env"].elements();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i]["name"].text() != name) continue;
    if (all[i]["value"].text() == value) return;
    Value& entry = container.edit("env").edit(i);
    entry.remove("value");
    if (!value.empty()) entry.set("value", value);
    return;
  }
  append_env(container, name, value);
}

}  // namespace fixpoint::injectors::kserve
