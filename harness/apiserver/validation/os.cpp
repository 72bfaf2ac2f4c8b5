#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

void forbid(const Value& owner, Choices members, const Path& path, Text detail, Errors& errors) {
  for (const Member& member : owner.members()) {
    const std::string_view name = member.key.text();
    if (is_one_of(name, members) && !member.value.is_null()) errors.forbidden(path.child(name), detail);
  }
}

void check_linux(Context& context, const Path& spec_path) {
  constexpr Text kDetail("windows options cannot be set for a linux pod");
  const Path security_path = spec_path.child("securityContext");
  forbid(context.spec["securityContext"], {"windowsOptions"}, security_path, kDetail, context.errors);
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    forbid(container["securityContext"], {"windowsOptions"}, path.child("securityContext"), kDetail,
           context.errors);
  });
}

void check_windows(Context& context, const Path& spec_path) {
  constexpr Text kDetail("cannot be set for a windows pod");
  constexpr std::string_view kPod[] = {"appArmorProfile",     "seLinuxOptions",
                                       "seccompProfile",      "fsGroup",
                                       "fsGroupChangePolicy", "sysctls",
                                       "runAsUser",           "runAsGroup",
                                       "supplementalGroups",  "supplementalGroupsPolicy",
                                       "seLinuxChangePolicy"};
  constexpr std::string_view kContainer[] = {"appArmorProfile",
                                             "seLinuxOptions",
                                             "seccompProfile",
                                             "capabilities",
                                             "readOnlyRootFilesystem",
                                             "privileged",
                                             "allowPrivilegeEscalation",
                                             "procMount",
                                             "runAsUser",
                                             "runAsGroup"};
  Errors& errors = context.errors;
  forbid(context.spec["securityContext"], kPod, spec_path.child("securityContext"), kDetail, errors);
  forbid(context.spec, {"hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"}, spec_path, kDetail,
         errors);
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    forbid(container["securityContext"], kContainer, path.child("securityContext"), kDetail, errors);
  });
}

}  // namespace

void check_os(Context& context, const Path& spec_path) {
  if (!context.has_os) return;
  if (context.os.empty()) {
    context.errors.required(spec_path.child("os.name"));
  } else if (context.os == "linux") {
    check_linux(context, spec_path);
  } else if (context.os == "windows") {
    check_windows(context, spec_path);
  } else {
    context.errors.not_supported(spec_path.child("os"), context.os, {"linux", "windows"});
  }
}

void check_host_users(Context& context, const Path& spec_path) {
  if (context.host_users) return;
  constexpr Text kDetail("when `hostUsers` is false");
  Errors& errors = context.errors;
  if (context.host_network && !context.options.allows_user_namespace_host_network) {
    errors.forbidden(spec_path.child("hostNetwork"), kDetail);
  }
  if (context.host_pid) errors.forbidden(spec_path.child("HostPID"), kDetail);
  if (context.host_ipc) errors.forbidden(spec_path.child("HostIPC"), kDetail);
  if (context.options.minor < gate::kUserNamespaceDevices || context.options.allows_user_namespace_devices)
    return;
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    if (!container["volumeDevices"].empty()) errors.forbidden(path.child("volumeDevices"), kDetail);
  });
}

}  // namespace fixpoint::apiserver::validation
