#include "injectors/defects/defect_helpers.h"

#include <algorithm>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/properties/contract.h"

namespace fixpoint::injectors::defects {

Answer changed(const Call& call, const std::function<void(Value& pod)>& change) {
  Value pod = call.object;
  change(pod);
  return webhooks::allow_change(call.object, std::move(pod));
}

bool has_container(const Value& pod, std::string_view name) {
  const Value& spec = pod["spec"];
  return has_named(spec["containers"], name) || has_named(spec["initContainers"], name) ||
         has_named(spec["ephemeralContainers"], name);
}

bool is_native_sidecar(const Value& container) { return container["restartPolicy"].text() == "Always"; }

namespace {

void change_containers(Value& pod, bool takes_all, const std::function<void(Value& container)>& change) {
  for (const char* list : {"containers", "initContainers"}) {
    const Value containers = pod["spec"][list];
    for (std::size_t i = 0; i < containers.size(); ++i) {
      if (!takes_all && list[0] == 'i' && !is_native_sidecar(containers.at(i))) continue;
      Value changed = containers.at(i);
      change(changed);
      if (!changed.same(containers.at(i))) pod.edit("spec").edit(list).edit(i) = std::move(changed);
    }
  }
}

}  // namespace

void for_each_container(Value& pod, const std::function<void(Value& container)>& change) {
  change_containers(pod, false, change);
}
void for_all_containers(Value& pod, const std::function<void(Value& container)>& change) {
  change_containers(pod, true, change);
}

Value container(std::string_view name, std::string_view image) {
  return {{"name", name}, {"image", image}, {"resources", Value::empty_object()}};
}
Value env(std::string_view name, std::string_view value) { return {{"name", name}, {"value", value}}; }
Value empty_volume(std::string_view name) { return {{"name", name}, {"emptyDir", Value::empty_object()}}; }

bool wants_mount(const Value& container, std::string_view volume, std::string_view path) {
  const auto mounts = container["volumeMounts"].elements(), devices = container["volumeDevices"].elements();
  const auto is_taken = [&](const Value& element, const char* at) {
    return element["name"].text() == volume || element[at].text() == path;
  };
  return std::none_of(mounts.begin(), mounts.end(),
                      [&](const Value& mount) { return is_taken(mount, "mountPath"); }) &&
         std::none_of(devices.begin(), devices.end(),
                      [&](const Value& device) { return is_taken(device, "devicePath"); });
}

void mount_everywhere(Value& pod, std::string_view volume, std::string_view path) {
  bool is_mounted = false;
  for_each_container(pod, [&](Value& one) {
    if (!wants_mount(one, volume, path)) return;
    one.edit("volumeMounts").push_back({{"name", volume}, {"mountPath", path}});
    is_mounted = true;
  });
  if (is_mounted && !has_named(pod["spec"]["volumes"], volume))
    pod.edit("spec").edit("volumes").push_back(empty_volume(volume));
}

Value add(const std::string& path, Value value) {
  return {{"op", "add"}, {"path", path}, {"value", std::move(value)}};
}

namespace {

void annotate(runner::Subject& subject, const char* key, const Value& value) {
  subject.configuration.edit("metadata").edit("annotations").set(key, document::write_json(value));
}

}  // namespace

void owns(runner::Subject& subject, std::initializer_list<std::string_view> paths) {
  annotate(subject, properties::kOwnsAnnotation, std::vector<Value>(paths.begin(), paths.end()));
}

void promises(runner::Subject& subject, const Value& lists) {
  annotate(subject, properties::kPromisesAnnotation, lists);
}

void also_on_update(runner::Subject& subject) {
  Value& rule = subject.configuration.edit("webhooks").edit(0).edit("rules").edit(0);
  rule.set("operations", Value::list({"CREATE", "UPDATE"}));
}

}  // namespace fixpoint::injectors::defects
