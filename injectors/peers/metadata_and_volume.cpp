#include <algorithm>

#include "harness/document/diff.h"
#include "injectors/peers/peer_subject.h"
#include "injectors/rows/injector.h"

namespace fixpoint::injectors::peers {

namespace {

using document::Name;
using document::Value;

constexpr const char* kVolume = "scratch";
constexpr const char* kPath = "/scratch";
constexpr const char* kLabel = "scratch.example.io/managed";

/// Returns true if the container has neither a mount nor a device of that name or at that path.
bool wants_mount(const Value& container) {
  const auto mounts = container["volumeMounts"].elements(), devices = container["volumeDevices"].elements();
  return std::none_of(
             mounts.begin(), mounts.end(),
             [](const Value& m) { return m["name"].text() == kVolume || m["mountPath"].text() == kPath; }) &&
         std::none_of(devices.begin(), devices.end(), [](const Value& d) {
           return d["name"].text() == kVolume || d["devicePath"].text() == kPath;
         });
}

webhooks::Answer mutate(const webhooks::Call& call) {
  Value pod = call.object;
  if (pod["metadata"]["labels"].find(kLabel) == nullptr)
    pod.edit("metadata").edit("labels").set(kLabel, "true");
  bool mounted = false;
  for (const bool is_init : {false, true}) {
    const Name list = is_init ? Name("initContainers") : Name("containers");
    const Value containers = pod["spec"][list];
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const Value& container = containers.at(i);
      const bool runs_along = !is_init || container["restartPolicy"].text() == "Always";
      if (!runs_along || !wants_mount(container)) continue;
      Value& mounts = pod.edit("spec").edit(list).edit(i).edit("volumeMounts");
      mounts.push_back({{"name", kVolume}, {"mountPath", kPath}});
      mounted = true;
    }
  }
  const auto volumes = pod["spec"]["volumes"].elements();
  const bool has_volume = std::any_of(volumes.begin(), volumes.end(),
                                      [](const Value& volume) { return volume["name"].text() == kVolume; });
  if (mounted && !has_volume) {
    pod.edit("spec").edit("volumes").push_back({{"name", kVolume}, {"emptyDir", Value::empty_object()}});
  }
  return webhooks::allow_change(call.object, std::move(pod));
}

runner::Subject metadata_subject(std::string_view) {
  auto subject = peer_subject("peers/metadata-and-volume", "scratch-volume", "scratch.volumes.example.io");
  subject.vocabulary.add_common(runner::Trigger::Where::label, {{kLabel, {"true", "false"}}});
  subject.vocabulary.names[runner::NameKind::volume] = {kVolume};
  subject.vocabulary.names[runner::NameKind::mount_path] = {kPath};
  return subject;
}

}  // namespace

Injector metadata_and_volume() {
  return {.name = "peers/metadata-and-volume",
          .sentence = "Labels the Pod and gives every container a scratch volume.",
          .role = Role::peer,
          .subject = metadata_subject,
          .handler = [](std::string_view) { return mutate; }};
}

}  // namespace fixpoint::injectors::peers
