#include <algorithm>
#include <array>

#include "harness/apiserver/types/quantity.h"
#include "injectors/kserve/common.h"
#include "injectors/kserve/kserve.h"

namespace fixpoint::injectors::kserve {

namespace {

/// What changed between the releases (specs: 2.4). Each row holds from that release on.
struct Switches {
  std::string_view since;
  bool guards;       ///< volume, mount and sidecar by name (#3517); before, a second call added all again
  bool prefetches;   ///< the init container modelcar-init (#3932)
  bool forces_link;  ///< `ln -sf` (#4274)
  bool serves_transformer;  ///< MODEL_INIT_MODE and the UID for the transformer too
  bool knows_worker;        ///< worker-container where kserve-container is missing (#4889)
  bool keeps_context;       ///< the UID replaces one field, not the whole securityContext (#5167)
};
constexpr std::array<Switches, 7> kSwitches{{{"0.12.0", false, false, false, false, false, false},
                                             {"0.12.1", true, false, false, false, false, false},
                                             {"0.14.0", true, true, false, false, false, false},
                                             {"0.15.0", true, true, true, false, false, false},
                                             {"0.16.0", true, true, true, true, false, false},
                                             {"0.17.0", true, true, true, true, true, false},
                                             {"0.18.0", true, true, true, true, true, true}}};

constexpr const char* kSourceUri = "internal.serving.kserve.io/storage-initializer-sourceuri";
constexpr std::string_view kScheme = "oci://";
constexpr const char* kVolume = "kserve-provision-location";
constexpr const char* kSidecar = "modelcar";

/// The last row that holds for the release.
const Switches& switches_of(std::string_view release) {
  std::size_t row = 0;
  while (row + 1 < kSwitches.size() && is_at_least(release, kSwitches[row + 1].since)) ++row;
  return kSwitches[row];
}

/// The four quantities every release demands of the section, whether the step acts or not.
Problem check_config(const Value& config) {
  for (const char* key : {"memoryRequest", "memoryLimit", "cpuRequest", "cpuLimit"}) {
    const auto text = config[key].text();
    if (text.empty() || !apiserver::Quantity::parse(text)) {
      return "Failed to parse resource configuration for \"storageInitializer\": bad " + std::string(key);
    }
  }
  return std::nullopt;
}

/// What the sidecar and the init container are made of.
struct Car {
  std::string image;
  Value resources;
  Value uid;  ///< null when none is configured
};

Value text_or(const Value& value, const char* fallback) {
  return value.text().empty() ? Value(fallback) : Value(value.text());
}

Car car_of(const Value& config, std::string_view uri) {
  const Value amounts{{"cpu", text_or(config["cpuModelcar"], "10m")},
                      {"memory", text_or(config["memoryModelcar"], "15Mi")}};
  return {.image = std::string(uri.substr(kScheme.size())),
          .resources = {{"limits", amounts}, {"requests", amounts}},
          .uid = config["uidModelcar"]};
}

Value shell(std::string script) { return Value::list({"sh", "-c", script}); }

Value sidecar(const Car& car, const Switches& switches) {
  const std::string link = switches.forces_link ? "ln -sf" : "ln -s";
  Value container{{"name", kSidecar},
                  {"image", car.image},
                  {"args", shell(link + " /proc/$$$$/root/models /mnt/models && sleep infinity")},
                  {"resources", car.resources},
                  {"volumeMounts", Value::list({Value{{"name", kVolume}, {"mountPath", "/mnt"}}})},
                  {"terminationMessagePolicy", "FallbackToLogsOnError"}};
  if (!car.uid.is_null()) container.set("securityContext", {{"runAsUser", car.uid}});
  return container;
}

Value prefetcher(const Car& car) {
  return {{"name", "modelcar-init"},
          {"image", car.image},
          {"args",
           shell("echo 'Pre-fetching modelcar " + car.image +
                 ": ' && [ -d /models ] && [ \"$$(ls -A /models)\" ] && echo 'OK ... Prefetched and valid "
                 "(/models exists)' || (echo 'NOK ... Prefetched but modelcar is invalid (/models does not "
                 "exist or is empty)' && exit 1)")},
          {"resources", car.resources},
          {"terminationMessagePolicy", "FallbackToLogsOnError"}};
}

void mount(Value& container, const Switches& switches) {
  if (switches.guards && has_named(container["volumeMounts"], kVolume)) return;
  container.edit("volumeMounts").push_back({{"name", kVolume}, {"mountPath", "/mnt"}});
}

void run_as(Value& container, const Value& uid, const Switches& switches) {
  if (uid.is_null()) return;
  if (!switches.keeps_context || container["securityContext"].is_null()) {
    container.set("securityContext", {{"runAsUser", uid}});
  } else {
    container.edit("securityContext").set("runAsUser", uid);
  }
}

Value& container_at(Value& pod, std::size_t index) { return pod.edit("spec").edit("containers").edit(index); }

Problem add_car(Value& pod, const Car& car, const Switches& switches) {
  if (!switches.guards || !has_named(pod["spec"]["volumes"], kVolume)) {
    pod.edit("spec").edit("volumes").push_back({{"name", kVolume}, {"emptyDir", Value::empty_object()}});
  }
  auto user = find_container(pod, "containers", "kserve-container");
  if (!user && switches.knows_worker) user = find_container(pod, "containers", "worker-container");
  if (!user) {
    return switches.knows_worker ? "Invalid configuration: cannot find container: kserve-container"
                                 : "no container found with name kserve-container";
  }
  const auto transformer = find_container(pod, "containers", "transformer-container");
  merge_env(container_at(pod, *user), "MODEL_INIT_MODE", "async");
  mount(container_at(pod, *user), switches);
  run_as(container_at(pod, *user), car.uid, switches);
  if (transformer) {
    Value& container = container_at(pod, *transformer);
    mount(container, switches);
    if (switches.serves_transformer) merge_env(container, "MODEL_INIT_MODE", "async");
    if (switches.serves_transformer) run_as(container, car.uid, switches);
  }
  if (!switches.guards || !has_named(pod["spec"]["containers"], kSidecar)) {
    pod.edit("spec").edit("containers").push_back(sidecar(car, switches));
    if (switches.prefetches) pod.edit("spec").edit("initContainers").push_back(prefetcher(car));
  }
  pod.edit("spec").set("shareProcessNamespace", true);
  return std::nullopt;
}

Problem inject(Value& pod, const Value& config, const Switches& switches) {
  if (auto problem = check_config(config)) return problem;
  if (!config["enableModelcar"].is_true()) return std::nullopt;
  const Value* uri = pod["metadata"]["annotations"].find(kSourceUri);
  if (uri == nullptr || !uri->text().starts_with(kScheme)) return std::nullopt;
  return add_car(pod, car_of(config, uri->text()), switches);
}

}  // namespace

runner::Subject modelcar_subject(std::string_view release) {
  runner::Subject subject = base_subject("kserve/modelcar", release);
  subject.vocabulary.annotations = {{kSourceUri, {"oci://registry.example/model:1", "s3://bucket/model"}}};
  subject.vocabulary.containers = {"kserve-container", "transformer-container", "worker-container", kSidecar};
  subject.vocabulary.init_containers = {"modelcar-init"};
  subject.vocabulary.volumes = {kVolume};
  subject.vocabulary.mount_paths = {"/mnt", "/mnt/models"};
  subject.vocabulary.env = {"MODEL_INIT_MODE"};
  return subject;
}

webhooks::Handler modelcar_handler(std::string_view release) {
  const Switches& switches = switches_of(release);
  return around([&switches](Value& pod, const webhooks::Call&,
                            const Value& config) { return inject(pod, config, switches); },
                "storageInitializer", common(release));
}

}  // namespace fixpoint::injectors::kserve
