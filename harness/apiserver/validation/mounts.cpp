#include "harness/apiserver/validation/checks.h"
#include "harness/document/named.h"

namespace fixpoint::apiserver::validation {

namespace {

/// For two entries with one name, the server remembers the path of the later one.
bool has_path(const Value& list, const char* member, std::string_view path) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.at(i)[member].text() != path) continue;
    bool is_replaced = false;
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      is_replaced = is_replaced || list.at(j)["name"] == list.at(i)["name"];
    }
    if (!is_replaced) return true;
  }
  return false;
}

void check_sub_paths(std::string_view sub_path, std::string_view expression, const Path& path,
                     const Path& item, Errors& errors) {
  if (!sub_path.empty()) errors.invalid(path.child("subPath"), sub_path, check_descending_path(sub_path));
  if (expression.empty()) return;
  if (!sub_path.empty())
    errors.invalid(item.child("subPathExpr"), expression,
                   Text("subPathExpr and subPath are mutually exclusive"));
  errors.invalid(path.child("subPathExpr"), expression, check_descending_path(expression));
}

void check_propagation(const Value& mode, const Value& container, const Path& path, Errors& errors) {
  constexpr std::string_view kModes[] = {"Bidirectional", "HostToContainer", "None"};
  if (mode.is_null()) return;
  if (!is_one_of(mode.text(), kModes)) errors.not_supported(path, mode.text(), kModes);
  const bool is_privileged = container["securityContext"]["privileged"].is_true();
  if (mode.text() == "Bidirectional" && !is_privileged)
    errors.forbidden(path,
                     Text("Bidirectional mount propagation is available only to privileged containers"));
}

void check_recursion(const Value& mode, const Value& mount, const Path& path, Errors& errors) {
  constexpr std::string_view kModes[] = {"Disabled", "Enabled", "IfPossible"};
  if (mode.is_null() || mode.text() == "Disabled") return;
  if (!is_one_of(mode.text(), kModes)) return errors.not_supported(path, mode.text(), kModes);
  if (!mount["readOnly"].is_true())
    errors.forbidden(path, Text("may only be specified when readOnly is true"));
  const Value& propagation = mount["mountPropagation"];
  if (!propagation.is_null() && propagation.text() != "None")
    errors.forbidden(path, Text("may only be specified when mountPropagation is None or not specified"));
}

}  // namespace

void check_mounts(const Value& container, const Path& container_path, Context& context) {
  const Value& mounts = container["volumeMounts"];
  if (mounts.empty()) return;
  const Value& devices = container["volumeDevices"];
  const Path path = container_path.child("volumeMounts");
  Errors& errors = context.errors;
  Names paths;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Path item = path.at(i);
    const Value& mount = mounts.at(i);
    const std::string_view name = mount["name"].text(), target = mount["mountPath"].text();
    if (name.empty()) errors.required(item.child("name"));
    if (context.volumes.find(name) == KnownVolumes::Found::no) errors.not_found(item.child("name"), name);
    if (target.empty()) errors.required(item.child("mountPath"));
    if (!paths.insert(target)) errors.invalid(item.child("mountPath"), target, Text("must be unique"));
    if (has_named(devices, name))
      errors.invalid(item.child("name"), name, Text("must not already exist in volumeDevices"));
    if (has_path(devices, "devicePath", target)) {
      errors.invalid(item.child("mountPath"), target,
                     Text("must not already exist as a path in volumeDevices"));
    }
    check_sub_paths(mount["subPath"].text(), mount["subPathExpr"].text(), path, item, errors);
    check_propagation(mount["mountPropagation"], container, path.child("mountPropagation"), errors);
    check_recursion(mount["recursiveReadOnly"], mount, path.child("recursiveReadOnly"), errors);
  }
}

void check_devices(const Value& container, const Path& container_path, Context& context) {
  const Value& devices = container["volumeDevices"];
  if (devices.empty()) return;
  const Value& mounts = container["volumeMounts"];
  const Path path = container_path.child("volumeDevices");
  Errors& errors = context.errors;
  Names names, paths;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Path item = path.at(i);
    const std::string_view name = devices.at(i)["name"].text(), target = devices.at(i)["devicePath"].text();
    const KnownVolumes::Found volume = context.volumes.find(name);
    if (name.empty()) errors.required(item.child("name"));
    if (!name.empty() && !names.insert(name))
      errors.invalid(item.child("name"), name, Text("must be unique"));
    if (volume == KnownVolumes::Found::no) {
      errors.not_found(item.child("name"), name);
    } else if (volume == KnownVolumes::Found::yes) {
      errors.invalid(
          item.child("name"), name,
          Text("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"));
    }
    if (target.empty()) errors.required(item.child("devicePath"));
    if (paths.contains(target)) errors.invalid(item.child("devicePath"), target, Text("must be unique"));
    if (!check_no_backsteps(target).empty()) {
      errors.invalid(item.child("devicePath"), target, Text("can not contain backsteps ('..')"));
    } else {
      paths.insert(target);
    }
    if (has_named(mounts, name))
      errors.invalid(item.child("name"), name, Text("must not already exist in volumeMounts"));
    if (has_path(mounts, "mountPath", target)) {
      errors.invalid(item.child("devicePath"), target,
                     Text("must not already exist as a path in volumeMounts"));
    }
  }
}

}  // namespace fixpoint::apiserver::validation
