#include <array>

#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Adds another container to the one that every Pod has.
void another(PodBuilder& builder, Value& spec) {
  Value container{{"name", builder.fresh_container_name(NameKind::container)}, {"image", "app:2"}};
  if (builder.c.one_in(4)) container.set("image", spec["containers"].at(0)["image"]);
  auto& containers = spec.edit("containers").edit_elements();
  const auto at = builder.c.coin() ? containers.end() : containers.begin();
  containers.insert(at, std::move(container));
}

/// Gives an init container an injected regular container's name: code that looks at one list misses it.
void named_regular_sidecar(PodBuilder& builder, Value& container) {
  container.set("name", builder.fresh_container_name(NameKind::container));
}

void same_name_twice(PodBuilder& builder, Value& spec) {
  const Value first = spec["containers"].at(0)["name"];
  spec.edit(builder.c.coin() ? "containers" : "initContainers")
      .push_back({{"name", first}, {"image", "x:1"}});
}

void many(PodBuilder& builder, Value& spec) {
  for (int i = 0; i < 6; ++i) another(builder, spec);
}

constexpr Feature kContainerFeatures[] = {
    {"containers/another", common, Place::spec, {}, another},
    {"containers/command", common, Place::any_container, R"({"command": ["/bin/app"]})"},
    {"containers/args", common, Place::any_container,
     R"JSON({"args": ["--port=8080", "--model_name=$(MODE)"]})JSON"},
    {"containers/init", common, Place::init_container},
    {"containers/native-sidecar", common, Place::init_container, R"({"restartPolicy": "Always"})"},
    {"containers/named-native-sidecar", exotic, Place::init_container, R"({"restartPolicy": "Always"})",
     named_regular_sidecar},
    {"containers/named-init", exotic, Place::init_container, {}, named_regular_sidecar},
    {"containers/native-sidecar-with-probe", exotic, Place::init_container,
     R"({"restartPolicy": "Always", "startupProbe": {"exec": {"command": ["true"]}},
         "livenessProbe": {"httpGet": {"port": "http"}}, "ports": [{"name": "http",
         "containerPort": 8013}]})"},
    {"containers/init-with-mount", exotic, Place::init_container,
     R"({"env": [{"name": "A", "value": "1"}], "command": ["sh", "-c", "true"]})"},
    {"containers/many", exotic, Place::spec, {}, many},
    {"containers/empty-lists", exotic, Place::any_container,
     R"([{"env": []}, {"ports": []}, {"volumeMounts": []}, {"command": []}, {"args": []}, {"envFrom": []},
         {"env": [], "ports": [], "volumeMounts": [], "command": [], "args": [], "volumeDevices": []}])"},
    {"containers/null-lists", exotic, Place::any_container,
     R"([{"env": null}, {"volumeMounts": null, "ports": null}])"},
    {"containers/empty-init-list", exotic, Place::spec,
     R"([{"initContainers": []}, {"initContainers": null}])"},
    {"containers/shell", exotic, Place::any_container,
     R"JSON({"command": ["sh", "-c", "echo \"$HOME\" && exec app 2>&1 | tee 'log'"]})JSON"},
    {"containers/many-args", exotic, Place::any_container,
     R"JSON({"args": ["a", "a", "", "--", "--b=c d", "$$(A)", "$(A)", "-"]})JSON"},
    {"containers/empty-arg", exotic, Place::any_container, R"({"command": [""], "args": [""]})"},
    {"containers/working-dir", exotic, Place::any_container, R"({"workingDir": "/work"})"},
    {"containers/pull-policy", exotic, Place::any_container,
     R"([{"imagePullPolicy": "Always"}, {"imagePullPolicy": "Never"}, {"imagePullPolicy": "IfNotPresent"}])"},
    {"containers/termination", exotic, Place::any_container,
     R"({"terminationMessagePath": "/dev/message", "terminationMessagePolicy": "FallbackToLogsOnError"})"},
    {"containers/terminal", exotic, Place::any_container,
     R"({"stdin": true, "stdinOnce": true, "tty": true})"},
    {"containers/lifecycle", exotic, Place::container,
     R"([{"lifecycle": {"preStop": {"exec": {"command": ["sleep", "5"]}}}},
         {"lifecycle": {"postStart": {"httpGet": {"port": 8080, "path": "/start"}}}},
         {"lifecycle": {"preStop": {"httpGet": {"port": "http", "scheme": "HTTPS"}}}},
         {"lifecycle": {"preStop": {"sleep": {"seconds": 5}}}},
         {"lifecycle": {"postStart": {"tcpSocket": {"port": 8080}}}},
         {"lifecycle": {}}])"},
    {"containers/share-processes", exotic, Place::spec,
     R"([{"shareProcessNamespace": true}, {"shareProcessNamespace": false}])"},
    {"containers/restart-policy", exotic, Place::spec,
     R"([{"restartPolicy": "Never"}, {"restartPolicy": "OnFailure"}])"},
    {"containers/grace", exotic, Place::spec,
     R"([{"terminationGracePeriodSeconds": 0}, {"terminationGracePeriodSeconds": 300}])"},
    {"containers/deadline", exotic, Place::spec, R"({"activeDeadlineSeconds": 3600})"},
    {"containers/image-digest",
     exotic,
     Place::container,
     {},
     [](PodBuilder&, Value& at) { at.set("image", "registry.example/app@sha256:" + std::string(64, 'a')); }},
    {"containers/image-with-port",
     exotic,
     Place::container,
     {},
     [](PodBuilder&, Value& at) { at.set("image", "registry.example:5000/team/app"); }},
    {"containers/image-latest",
     exotic,
     Place::container,
     {},
     [](PodBuilder&, Value& at) { at.set("image", "docker.io/library/app:latest"); }},
    {"containers/image-in-other-forms",
     exotic,
     Place::any_container,
     {},
     [](PodBuilder& builder, Value& at) {
       static constexpr std::array<const char*, 6> kImages{"nginx",
                                                           "team/app",
                                                           "localhost/app:1",
                                                           "localhost:5000/app",
                                                           "registry.example/app:1@sha256:",
                                                           "nginx@sha256:"};
       const std::string image = builder.c.pick(kImages);
       at.set("image", image.ends_with(':') ? image + std::string(64, 'b') : image);
     }},
    {"containers/service-links-off", exotic, Place::spec, R"({"enableServiceLinks": false})"},
    {"containers/same-name-twice", defect, Place::spec, {}, same_name_twice},
    {"containers/no-image", defect, Place::container, {}, [](PodBuilder&, Value& at) { at.remove("image"); }},
    {"containers/no-name", defect, Place::container, {}, [](PodBuilder&, Value& at) { at.remove("name"); }},
    {"containers/upper-case-name",
     defect,
     Place::container,
     {},
     [](PodBuilder&, Value& at) { at.set("name", "Main"); }},
    {"containers/ephemeral-at-once", defect, Place::spec,
     R"({"ephemeralContainers": [{"name": "debug", "image": "x:1"}]})"},
    {"containers/init-restarts-on-failure", exotic, Place::init_container,
     R"({"restartPolicy": "OnFailure"})"},
    {"containers/probe-of-plain-init", defect, Place::init_container,
     R"({"readinessProbe": {"exec": {"command": ["true"]}}})"},
};

}  // namespace

std::span<const Feature> container_features() { return kContainerFeatures; }

}  // namespace fixpoint::generators
