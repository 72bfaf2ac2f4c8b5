#include <array>
#include <string>

#include "injectors/kserve/branches.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

namespace {

/// The differences between the releases (docs/kserve.md#2-4). Each row holds from that release on.
struct ModelcarSwitches {
  int since;
  bool guards;  ///< by the names of volume, mount and sidecar (#3517); before, a second call added all again
  bool prefetches;          ///< the init container modelcar-init (#3932)
  bool forces_link;         ///< `ln -sf` (#4274)
  bool serves_transformer;  ///< the transformer also gets MODEL_INIT_MODE and the UID
  bool knows_worker;        ///< uses worker-container if kserve-container is missing (#4889)
  bool keeps_context;       ///< the UID replaces one field instead of the whole securityContext (#5167)
};
constexpr auto kModelcarSwitches =
    std::to_array<ModelcarSwitches>({{1200, false, false, false, false, false, false},
                                     {1201, true, false, false, false, false, false},
                                     {1400, true, true, false, false, false, false},
                                     {1500, true, true, true, false, false, false},
                                     {1600, true, true, true, true, false, false},
                                     {1700, true, true, true, true, true, false},
                                     {1800, true, true, true, true, true, true}});

constexpr std::string_view kScheme = "oci://";
constexpr const char* kSidecar = "modelcar";

/// The settings of the sidecar and the init container.
struct Car {
  std::string image;
  Value resources;
  Value uid;  ///< null if none is configured
};

Value shell(std::string_view script) { return Value::list({"sh", "-c", script}); }

Value sidecar(const Car& car, const ModelcarSwitches& switches) {
  const std::string link = switches.forces_link ? "ln -sf" : "ln -s";
  Value container{{"name", kSidecar},
                  {"image", car.image},
                  {"args", shell(link + " /proc/$$$$/root/models /mnt/models && sleep infinity")},
                  {"resources", car.resources},
                  {"volumeMounts", Value::list({Value{{"name", kProvisionVolume}, {"mountPath", "/mnt"}}})},
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

/// Both containers for an image. Those for the last image are kept, because a chain repeats the call with the
/// same image.
struct Built {
  Car car{};
  const ModelcarSwitches* switches = nullptr;
  Value sidecar{}, prefetcher{};
};
const Built& build(const Car& car, const ModelcarSwitches& switches) {
  thread_local Built last;
  const bool is_same = last.switches == &switches && last.car.image == car.image && last.car.uid == car.uid &&
                       last.car.resources.same(car.resources);
  if (!is_same) last = {car, &switches, sidecar(car, switches), prefetcher(car)};
  return last;
}

void mount(Value& container, const ModelcarSwitches& switches) {
  static const Value entry{{"name", kProvisionVolume}, {"mountPath", "/mnt"}};
  if (switches.guards && has_named(container["volumeMounts"], kProvisionVolume)) return;
  container.edit("volumeMounts").push_back(entry);
}

void run_as(Value& container, const Value& uid, const ModelcarSwitches& switches) {
  if (uid.is_null()) return;
  if (!switches.keeps_context || container["securityContext"].is_null()) {
    container.set("securityContext", {{"runAsUser", uid}});
  } else if (container["securityContext"]["runAsUser"] != uid) {
    container.edit("securityContext").set("runAsUser", uid);
  }
}

/// The containers that get the image: kserve-container, from 0.17.0 on also its replacement, and the
/// transformer.
struct Servers {
  std::size_t user;
  std::optional<std::size_t> transformer;
};
std::optional<Servers> find_servers(const Value& pod, const ModelcarSwitches& switches) {
  auto user = find_container(pod, kUserContainer);
  if (!user && switches.knows_worker) {
    user = find_container(pod, kWorkerContainer);
    if (user) reach("modelcar/worker");
  }
  if (!user) return std::nullopt;
  return Servers{*user, find_container(pod, kTransformer)};
}

void add_car(Value& pod, const Servers& servers, const Car& car, const ModelcarSwitches& switches) {
  static const Value directory = empty_dir(kProvisionVolume), waits = env("MODEL_INIT_MODE", "async");
  if (!switches.guards || !has_named(pod["spec"]["volumes"], kProvisionVolume)) append_volume(pod, directory);
  Value& user = container_at(pod, servers.user);
  merge_env(user, waits);
  mount(user, switches);
  run_as(user, car.uid, switches);
  if (!car.uid.is_null()) reach("modelcar/user");
  if (servers.transformer) {
    reach("modelcar/transformer");
    Value& container = container_at(pod, *servers.transformer);
    if (switches.serves_transformer) merge_env(container, waits);
    mount(container, switches);
    if (switches.serves_transformer) run_as(container, car.uid, switches);
  }
  if (!switches.guards || !has_named(pod["spec"]["containers"], kSidecar)) {
    pod.edit("spec").edit("containers").push_back(build(car, switches).sidecar);
    if (switches.prefetches)
      pod.edit("spec").edit("initContainers").push_back(build(car, switches).prefetcher);
  }
  if (!pod["spec"]["shareProcessNamespace"].is_true()) pod.edit("spec").set("shareProcessNamespace", true);
}

Problem inject_car(Value& pod, const Servers& servers, std::string_view uri, const StepInput& input) {
  const ModelcarSwitches& switches = switches_of(kModelcarSwitches, input.release);
  // Upstream parses the amounts only if it builds the sidecar.
  const bool is_there = switches.guards && has_named(pod["spec"]["containers"], kSidecar);
  if (!is_there && input.config.car_resources.is_null())
    return (reach("modelcar/bad-amount"), crash("cannot parse an amount of modelcars"));
  is_there ? reach("modelcar/there-already") : reach("modelcar/added");
  add_car(pod, servers,
          {.image = std::string(uri.substr(kScheme.size())),
           .resources = input.config.car_resources,
           .uid = input.config.storage["uidModelcar"]},
          switches);
  return std::nullopt;
}

/// Mounts the image as an image volume of Kubernetes, at the model's path (0.20.0).
Problem mount_image(Value& pod, std::size_t at, std::string_view uri) {
  constexpr std::string_view kVolume = "mnt-models";
  for (const Value& mounted : pod["spec"]["containers"].at(at)["volumeMounts"].elements()) {
    if (mounted["mountPath"].text() == kModelPath && mounted["name"].text() != kVolume) {
      reach("modelcar/path-taken");
      return refuse("mountPath \"/mnt/models\" already used by volume \"" +
                    std::string(mounted["name"].text()) + "\"");
    }
  }
  reach("modelcar/native");
  Value image = Value::empty_object();
  const std::string_view reference = uri.substr(kScheme.size());
  if (!reference.empty()) image.set("reference", reference);
  image.set("pullPolicy", "IfNotPresent");
  add_volume_if_absent(pod, volume(kVolume, "image", std::move(image)));
  add_mount_if_absent(container_at(pod, at),
                      {.name = kVolume, .path = kModelPath, .read_only = true, .sub_path = "models"});
  return std::nullopt;
}

Problem inject_image(Value& pod, const Servers& servers, std::string_view uri) {
  if (Problem problem = mount_image(pod, servers.user, uri)) return problem;
  return servers.transformer ? mount_image(pod, *servers.transformer, uri) : std::nullopt;
}

/// The mode for a URI, and the URI in the form oci://….
struct Image {
  std::string_view mode;
  std::string uri;
};
std::optional<Image> image_of(std::string_view uri, const StepInput& input) {
  const std::string_view mode = input.release.number >= 2000 ? explicit_oci_mode(uri) : std::string_view();
  if (!mode.empty()) reach("modelcar/named-mode");
  if (!mode.empty()) return Image{mode, std::string(kScheme).append(uri.substr(uri.find("://") + 3))};
  if (!uri.starts_with(kScheme)) return std::nullopt;
  return Image{input.config.oci_mode, std::string(uri)};
}

}  // namespace

Problem inject_modelcar(Value& pod, const StepInput& input) {
  const Value* source = annotation(pod, kSourceUri);
  if (input.config.oci_mode.empty() || source == nullptr) return std::nullopt;
  const auto image = image_of(source->text(), input);
  if (!image) return std::nullopt;
  const ModelcarSwitches& switches = switches_of(kModelcarSwitches, input.release);
  const auto servers = find_servers(pod, switches);
  if (!servers) {
    reach("modelcar/without-server");
    return refuse(switches.knows_worker ? "Invalid configuration: cannot find container: kserve-container"
                                        : "no container found with name kserve-container");
  }
  if (image->mode == kOciNative) return inject_image(pod, *servers, image->uri);
  return inject_car(pod, *servers, image->uri, input);
}

}  // namespace fixpoint::injectors::kserve
