#include <array>
#include <string>
#include <vector>

#include "harness/document/json.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/credentials.h"
#include "injectors/kserve/pod_edit.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr document::Name kLoggerOn = "internal.serving.kserve.io/logger";
constexpr document::Name kBatcherOn = "internal.serving.kserve.io/batcher";
constexpr document::Name kConfigPath = "internal.serving.kserve.io/configMountPath";
constexpr document::Name kConfigVolume = "internal.serving.kserve.io/configVolumeName";
constexpr document::Name kModelDir = "internal.serving.kserve.io/modelDir";
constexpr document::Name kBatchSize = "internal.serving.kserve.io/batcher-max-batchsize";
constexpr document::Name kLatency = "internal.serving.kserve.io/batcher-max-latency";
constexpr document::Name kSinkUrl = "internal.serving.kserve.io/logger-sink-url";
constexpr document::Name kLogMode = "internal.serving.kserve.io/logger-mode";
constexpr document::Name kLogHeaders = "internal.serving.kserve.io/logger-metadata-headers";
constexpr document::Name kLogAnnotations = "internal.serving.kserve.io/logger-metadata-annotations";
constexpr std::string_view kName = "agent";
constexpr int kPort = 9081;
constexpr const char* kProbeEnv = "SERVING_READINESS_PROBE";

/// The differences between the releases (docs/kserve.md#2-5). Each row holds from that release on.
struct AgentSwitches {
  int since;
  bool knows_tls;             ///< headers and TLS of the logger
  bool omits_unusable_probe;  ///< exec, grpc and missing probes are not handed over (#4012)
  bool has_one_port;          ///< --component-port once and always, the transformer's if there is one (#4255)
  bool names_annotations;     ///< --metadata-annotations
  bool knows_store;           ///< the logger's store and its account
  bool knows_batches;         ///< marshaller, batch size and interval
  bool mirrors_path;          ///< its own probe requests the source probe's path (#5345)
};
constexpr std::array<AgentSwitches, 7> kAgentSwitches{
    {{1102, false, false, false, false, false, false, false},
     {1400, true, false, false, false, false, false, false},
     {1500, true, true, true, false, false, false, false},
     {1501, true, true, true, true, false, false, false},
     {1600, true, true, true, true, true, false, false},
     {1700, true, true, true, true, true, true, false},
     {1800, true, true, true, true, true, true, true}}};

/// Builds the list of arguments.
class Arguments {
 public:
  void flag(const char* name) { list_.emplace_back(name); }
  void option(const char* name, std::string_view value) {
    list_.emplace_back(name);
    list_.emplace_back(value);
  }
  void option_if_set(const char* name, std::string_view value) {
    if (!value.empty()) option(name, value);
  }
  void option_if_there(const char* name, const Value* value) {
    if (value != nullptr) option(name, value->text());
  }
  Value take() { return {std::move(list_)}; }

 private:
  std::vector<Value> list_{};
};

/// The parts of one injection that several steps use.
struct Injection {
  Value& pod;
  const StepInput& input;
  const AgentSwitches& switches;
  Value logger;  ///< its configuration for this Pod
  bool logs, pulls, batches;
};

void add_puller(const Value& pod, Arguments& arguments) {
  arguments.flag("--enable-puller");
  arguments.option_if_there("--config-dir", annotation(pod, kConfigPath));
  arguments.option_if_there("--model-dir", annotation(pod, kModelDir));
}

void add_batcher(const Value& pod, Arguments& arguments) {
  arguments.flag("--enable-batcher");
  arguments.option_if_there("--max-batchsize", annotation(pod, kBatchSize));
  arguments.option_if_there("--max-latency", annotation(pod, kLatency));
}

/// Returns `KEY=VALUE,…` for the annotations named in the list that exist.
std::string named_annotations(const Value& pod, std::string_view list) {
  std::string pairs;
  for (;;) {
    const auto comma = list.find(',');
    const std::string_view key = list.substr(0, comma);
    if (const Value* value = annotation(pod, document::Name(key)))
      pairs.append(pairs.empty() ? "" : ",").append(key).append("=").append(value->text());
    if (comma == std::string_view::npos) return pairs;
    list.remove_prefix(comma + 1);
  }
}

void add_logger_store(const Injection& injection, Arguments& arguments) {
  const Value& logger = injection.logger;
  if (injection.switches.knows_store) {
    arguments.option_if_set("--log-store-path", logger["storage"]["path"].text());
    arguments.option_if_set("--log-store-format", logger["storage"]["parameters"]["format"].text());
  }
  if (injection.switches.knows_batches) {
    arguments.option_if_set("--log-marshaller-url", logger["marshallerUrl"].text());
    arguments.option_if_set("--log-batch-size", logger["batchSize"].text());
    arguments.option_if_set("--log-batch-interval", logger["batchInterval"].text());
  }
}

std::string_view label_or_empty(const Value& pod, const document::Name& key) {
  const Value* found = label(pod, key);
  return found == nullptr ? std::string_view() : found->text();
}

void add_logger(const Injection& injection, Arguments& arguments) {
  const Value& pod = injection.pod;
  arguments.option("--log-url", annotation_or(pod, kSinkUrl, injection.logger["defaultUrl"].text()));
  arguments.option("--source-uri", pod["metadata"]["name"].text());
  arguments.option("--log-mode", annotation_or(pod, kLogMode, "all"));
  arguments.option("--inference-service", label_or_empty(pod, kGateLabel));
  arguments.option("--namespace", pod["metadata"]["namespace"].text());
  arguments.option("--endpoint", label_or_empty(pod, "endpoint"));
  arguments.option("--component", label_or_empty(pod, "component"));
  add_logger_store(injection, arguments);
  if (!injection.switches.knows_tls) return;
  arguments.option_if_there("--metadata-headers", annotation(pod, kLogHeaders));
  const Value* listed = annotation(pod, kLogAnnotations);
  if (injection.switches.names_annotations && listed != nullptr)
    arguments.option("--metadata-annotations", named_annotations(pod, listed->text()));
  arguments.option_if_set("--logger-ca-cert-file", injection.logger["caCertFile"].text());
  arguments.option("--logger-tls-skip-verify",
                   injection.logger["tlsSkipVerify"].is_true() ? "true" : "false");
}

std::string_view first_port(const Value& container) {
  const Value& ports = container["ports"];
  return ports.empty() ? "8080" : ports.at(0)["containerPort"].text();
}

/// Returns the index of the last container of that name.
std::optional<std::size_t> last_named(const Value& pod, std::string_view name) {
  const auto containers = pod["spec"]["containers"].elements();
  for (std::size_t i = containers.size(); i > 0; --i) {
    if (containers[i - 1]["name"].text() == name) return i - 1;
  }
  return std::nullopt;
}

void add_component_port(const Value& pod, const AgentSwitches& switches, Arguments& arguments) {
  const auto containers = pod["spec"]["containers"].elements();
  std::string port = "8080";
  for (const Value& container : containers) {
    if (container["name"].text() != kUserContainer) continue;
    if (!switches.has_one_port) {
      arguments.option("--component-port", first_port(container));
    } else if (!container["ports"].empty()) {
      port = first_port(container);
    }
  }
  if (!switches.has_one_port) return;
  if (const auto transformer = last_named(pod, kTransformer)) port = first_port(containers[*transformer]);
  arguments.option("--component-port", port);
}

Value arguments_of(const Injection& injection) {
  Arguments arguments;
  if (injection.pulls) add_puller(injection.pod, arguments);
  if (injection.batches) add_batcher(injection.pod, arguments);
  if (injection.logs) add_logger(injection, arguments);
  add_component_port(injection.pod, injection.switches, arguments);
  return arguments.take();
}

/// Returns the probe that the agent runs in the server's place: the first container's, from 0.15.0 on the
/// transformer's if there is one.
const Value& source_probe(const Value& pod, const AgentSwitches& switches) {
  const auto transformer = switches.has_one_port ? last_named(pod, kTransformer) : std::nullopt;
  if (transformer) reach("agent/transformers-probe");
  return pod["spec"]["containers"].at(transformer.value_or(0))["readinessProbe"];
}

void count_probe(const Value& probe) {
  if (probe.is_null()) reach("agent/without-probe");
  if (!probe["httpGet"].is_null()) reach("agent/probe-of-http");
  if (!probe["tcpSocket"].is_null()) reach("agent/probe-of-tcp");
  if (!probe["exec"].is_null()) reach("agent/probe-of-command");
  if (!probe["grpc"].is_null()) reach("agent/probe-of-grpc");
}

bool is_usable(const Value& probe) { return !probe["httpGet"].is_null() || !probe["tcpSocket"].is_null(); }

/// Gives the agent the queue-proxy's env and the place after it; without a queue-proxy, the source probe.
void give_env(const Injection& injection, Value& agent) {
  Value& pod = injection.pod;
  const auto proxy = last_named(pod, kQueueProxy);
  if (!proxy) {
    const Value& probe = source_probe(pod, injection.switches);
    count_probe(probe);
    if (is_usable(probe) || !injection.switches.omits_unusable_probe)
      append_env(agent, kProbeEnv, document::write_go_json(probe));
    return;
  }
  reach("agent/behind-queue-proxy");
  const Value envs = pod["spec"]["containers"].at(*proxy)["env"];
  if (!envs.empty()) agent.set("env", envs);
  for (std::size_t i = 0; i < envs.size(); ++i) {
    if (envs.at(i)["name"].text() != "USER_PORT" || envs.at(i)["value"].text() == "9081") continue;
    reach("agent/user-port");
    container_at(pod, *proxy).edit("env").edit(i).set("value", "9081");
  }
}

/// Returns the path that the agent's own probe requests.
std::string own_path(const Injection& injection) {
  if (!injection.switches.mirrors_path || last_named(injection.pod, kQueueProxy)) return "/";
  const std::string_view path = source_probe(injection.pod, injection.switches)["httpGet"]["path"].text();
  if (path.size() > 1) reach("agent/mirrors-path");
  return path.empty() ? "/" : std::string(path);
}

Value build(const Injection& injection) {
  const Value& settings = injection.input.config.agent;
  const Value header{{"name", "K-Network-Probe"}, {"value", "queue"}};
  Value agent{{"name", kName}};
  if (!settings["image"].text().empty()) agent.set("image", settings["image"]);
  agent.set("args", arguments_of(injection));
  agent.set("ports",
            Value::list({Value{{"name", "agent-port"}, {"containerPort", kPort}, {"protocol", "TCP"}}}));
  agent.set("resources", injection.input.config.agent_resources);
  agent.set("readinessProbe", Value{{"httpGet", Value{{"path", own_path(injection)},
                                                      {"port", kPort},
                                                      {"scheme", "HTTP"},
                                                      {"httpHeaders", Value::list({header})}}}});
  const Value& context = injection.pod["spec"]["containers"].at(0)["securityContext"];
  if (!context.is_null()) agent.set("securityContext", context);
  give_env(injection, agent);
  return agent;
}

void mount_logger_bundle(const Injection& injection, Value& agent) {
  const std::string_view name = injection.logger["caBundle"].text();
  if (!injection.logs || !injection.switches.knows_tls || name.empty()) return;
  reach("agent/bundle");
  append_volume(injection.pod,
                volume("agent-ca-bundle", "configMap", Value{{"name", name}, {"optional", true}}));
  append_mount(agent, {.name = "agent-ca-bundle", .path = "/etc/tls/logger", .read_only = true});
}

Problem add_credentials(const Injection& injection, Value& agent) {
  const std::string account(injection.pod["spec"]["serviceAccountName"].text());
  if (Problem problem = add_account_credentials(injection.pod, agent, account, injection.input))
    return problem;
  const Value& store = injection.logger["storage"];
  if (!injection.logs || !injection.switches.knows_store || store.is_null()) return std::nullopt;
  reach("agent/store");
  const std::string_view own = store["serviceAccountName"].text();
  return add_account_credentials(injection.pod, agent, own.empty() ? "logger-sa" : own, injection.input);
}

/// Mounts the volume into every container of that name, and adds the volume unless one of its name exists.
void mount_on(Value& pod, std::string_view container, const Value& entry, std::string_view path) {
  add_volume_if_absent(pod, entry);
  for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
    if (pod["spec"]["containers"].at(i)["name"].text() == container)
      append_mount(container_at(pod, i), {.name = entry["name"].text(), .path = path});
  }
}

Problem mount_models(Value& pod) {
  const Value* config = annotation(pod, kConfigVolume);
  if (annotation(pod, kModelDir) == nullptr || config == nullptr) {
    reach("agent/without-model-dir");
    return refuse("can not find " + std::string(kConfigVolume.text) + " label");
  }
  reach("agent/models");
  Value settings = Value::empty_object();
  if (!config->text().empty()) settings.set("name", config->text());
  mount_on(pod, kName, empty_dir("model-dir"), kModelPath);
  mount_on(pod, kUserContainer, empty_dir("model-dir"), kModelPath);
  mount_on(pod, kName, volume("model-config", "configMap", std::move(settings)), "/mnt/configs");
  return std::nullopt;
}

}  // namespace

Problem inject_agent(Value& pod, const StepInput& input) {
  const bool logs = annotation(pod, kLoggerOn) != nullptr, pulls = annotation(pod, kAgent) != nullptr,
             batches = annotation(pod, kBatcherOn) != nullptr;
  if (!logs && !pulls && !batches) return std::nullopt;
  if (has_named(pod["spec"]["containers"], kName)) return (reach("agent/there-already"), std::nullopt);
  if (logs) reach("agent/logger");
  if (pulls) reach("agent/puller");
  if (batches) reach("agent/batcher");
  if (pod["spec"]["containers"].empty()) return crash("index out of range [0] with length 0");
  const std::string service(label_or_empty(pod, kGateLabel));
  const Injection injection{
      .pod = pod,
      .input = input,
      .switches = switches_of(kAgentSwitches, input.release),
      .logger = logger_of(input.config, input.find("InferenceService.serving.kserve.io", service),
                          input.release),
      .logs = logs,
      .pulls = pulls,
      .batches = batches};
  Value agent = build(injection);
  mount_logger_bundle(injection, agent);
  if (Problem problem = add_credentials(injection, agent)) return problem;
  pod.edit("spec").edit("containers").push_back(std::move(agent));
  return pulls ? mount_models(pod) : std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
