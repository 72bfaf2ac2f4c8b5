#include <limits>
#include <string>

#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::size_t kProfileBytesMax = 4095;
constexpr std::string_view kProfileTypes[] = {"Localhost", "RuntimeDefault", "Unconfined"};

void check_id(const Value& id, const Path& path, Errors& errors) {
  if (id.is_null()) return;
  const std::int64_t number = id.integer().value_or(-1);
  if (number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
    errors.invalid(path, id, Text("must be between 0 and 2147483647, inclusive"));
  }
}

constexpr document::GoMember kSeccomp[] = {{"Type", "type", "\"\""},
                                           {"LocalhostProfile", "localhostProfile"}};

void check_profile_type(const Value& type, Text missing, const Path& path, Errors& errors) {
  if (type.text().empty()) return errors.required(path, missing);
  if (!is_one_of(type.text(), kProfileTypes)) errors.not_supported(path, type.text(), kProfileTypes);
}

void check_seccomp_profile(const Value& profile, const Path& path, Errors& errors) {
  if (profile.is_null()) return;
  check_profile_type(profile["type"], Text("type is required when seccompProfile is set"), path.child("type"),
                     errors);
  const Path local_path = path.child("localhostProfile");
  const Value& local = profile["localhostProfile"];
  const bool is_local = profile["type"].text() == "Localhost";
  if (is_local && local.is_null()) {
    errors.required(local_path, Text("must be set when seccomp type is Localhost"));
  } else if (is_local) {
    errors.invalid(local_path, local.text(), check_descending_path(local.text()));
  } else if (!local.is_null()) {
    errors.invalid(local_path, profile, kSeccomp, Text("can only be set when seccomp type is Localhost"));
  }
}

/// The kernel's namespace that a sysctl belongs to: 'n' the network's, 'i' that of IPC, else 0.
char namespace_of(std::string_view sysctl) {
  std::string name(sysctl);
  if (const auto first = name.find_first_of("./"); first != std::string::npos && name[first] == '/') {
    for (char& c : name) c = c == '/' ? '.' : c == '.' ? '/' : c;
  }
  name = name.substr(0, name.find('*'));
  constexpr std::string_view kIpc[] = {
      "kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
      "kernel.shm", "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg"};
  if (is_one_of(name, kIpc) || name.starts_with("fs.mqueue.")) return 'i';
  return name.starts_with("net.") ? 'n' : '\0';
}

void check_sysctls(const Value& sysctls, const Path& path, Context& context) {
  Names names;
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    const Path item = path.at(i), name_path = item.child("name");
    const std::string_view name = sysctls.at(i)["name"].text();
    const Problems problems = check_sysctl_name(name);
    if (name.empty()) {
      context.errors.required(name_path);
    } else if (!problems.empty()) {
      context.errors.invalid(name_path, name, problems);
    } else if (names.contains(name)) {
      context.errors.duplicate(name_path, name);
    }
    names.insert(name);
    if (context.options.allows_host_sysctls) continue;
    if (is_sysctl_of_host(name, context.host_network, context.host_ipc)) {
      // A name can be of one namespace only, so the text names the field that shares it.
      const bool is_network = is_sysctl_of_host(name, context.host_network, false);
      context.errors.invalid(name_path, name,
                             is_network ? Text("may not be specified when 'hostNetwork' is true")
                                        : Text("may not be specified when 'hostIPC' is true"));
    }
  }
}

void check_optional_choice(const Value& value, Choices choices, const Path& path, Errors& errors) {
  if (!value.is_null() && !is_one_of(value.text(), choices))
    errors.not_supported(path, value.text(), choices);
}

constexpr document::GoMember kCapabilities[] = {{"Add", "add"}, {"Drop", "drop"}};
constexpr document::GoMember kSeLinuxOptions[] = {
    {"User", "user", "\"\""}, {"Role", "role", "\"\""}, {"Type", "type", "\"\""}, {"Level", "level", "\"\""}};
constexpr document::GoMember kWindowsOptions[] = {{"GMSACredentialSpecName", "gmsaCredentialSpecName"},
                                                  {"GMSACredentialSpec", "gmsaCredentialSpec"},
                                                  {"RunAsUserName", "runAsUserName"},
                                                  {"HostProcess", "hostProcess"}};
constexpr document::GoMember kSecurityContext[] = {
    {"Capabilities", "capabilities", "null", kCapabilities},
    {"Privileged", "privileged"},
    {"SELinuxOptions", "seLinuxOptions", "null", kSeLinuxOptions},
    {"WindowsOptions", "windowsOptions", "null", kWindowsOptions},
    {"RunAsUser", "runAsUser"},
    {"RunAsGroup", "runAsGroup"},
    {"RunAsNonRoot", "runAsNonRoot"},
    {"ReadOnlyRootFilesystem", "readOnlyRootFilesystem"},
    {"AllowPrivilegeEscalation", "allowPrivilegeEscalation"},
    {"ProcMount", "procMount"},
    {"SeccompProfile", "seccompProfile", "null", kSeccomp},
    {"AppArmorProfile", "appArmorProfile", "null", kSeccomp}};

void check_escalation(const Value& security, const Path& path, Errors& errors) {
  const Value& escalation = security["allowPrivilegeEscalation"];
  if (!escalation.is_boolean() || escalation.is_true()) return;
  if (security["privileged"].is_true())
    errors.invalid(path, security, kSecurityContext,
                   Text("cannot set `allowPrivilegeEscalation` to false and `privileged` to true"));
  for (const Value& capability : security["capabilities"]["add"].elements()) {
    if (capability.text() == "CAP_SYS_ADMIN")
      errors.invalid(
          path, security, kSecurityContext,
          Text("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"));
  }
}

}  // namespace

constexpr Text kNoLocalhost("must be set when AppArmor type is Localhost");

bool is_sysctl_of_host(std::string_view sysctl, bool host_network, bool host_ipc) {
  if (!host_network && !host_ipc) return false;
  const char space = namespace_of(sysctl);
  return (host_network && space == 'n') || (host_ipc && space == 'i');
}

void check_apparmor_profile(const Value& profile, const Path& path, Errors& errors) {
  if (profile.is_null()) return;
  const Path local_path = path.child("localhostProfile");
  const Value& local = profile["localhostProfile"];
  const std::string_view type = profile["type"].text(), name = local.text();
  check_profile_type(profile["type"], Text("type is required when appArmorProfile is set"),
                     path.child("type"), errors);
  if (type == "Localhost") {
    if (local.is_null()) return errors.required(local_path, kNoLocalhost);
    if (is_padded(name)) {
      errors.invalid(local_path, name, Text("must not be padded with whitespace"));
    } else if (name.empty()) {
      errors.required(local_path, kNoLocalhost);
    }
    if (name.size() > kProfileBytesMax) errors.too_long(local_path, kProfileBytesMax);
  } else if (is_one_of(type, {"RuntimeDefault", "Unconfined"}) && !local.is_null()) {
    errors.invalid_typed(local_path, name, Text("can only be set when AppArmor type is Localhost"));
  }
}

void check_security_context(const Value& security, const Path& path, Context& context) {
  if (security.empty()) return;
  Errors& errors = context.errors;
  check_id(security["runAsUser"], path.child("runAsUser"), errors);
  check_id(security["runAsGroup"], path.child("runAsGroup"), errors);
  const Value& proc_mount = security["procMount"];
  check_optional_choice(proc_mount, {"Default", "Unmasked"}, path.child("procMount"), errors);
  if (proc_mount.text() == "Unmasked" && context.host_users &&
      context.options.minor >= gate::kAppArmorFields) {
    errors.invalid(path.child("procMount"), proc_mount.text(),
                   Text("`hostUsers` must be false to use `Unmasked`"));
  }
  check_seccomp_profile(security["seccompProfile"], path.child("seccompProfile"), errors);
  check_escalation(security, path, errors);
  check_windows_options(security["windowsOptions"], path.child("windowsOptions"), errors);
  check_apparmor_profile(security["appArmorProfile"], path.child("appArmorProfile"), errors);
}

void check_pod_security_context(Context& context, const Path& path) {
  const Value& security = context.spec["securityContext"];
  Errors& errors = context.errors;
  if (context.spec["shareProcessNamespace"].is_true() && context.host_pid) {
    errors.invalid(path.child("shareProcessNamespace"), Value(true),
                   Text("ShareProcessNamespace and HostPID cannot both be enabled"));
  }
  if (security.empty()) return;
  static constexpr Name kIds[] = {"fsGroup", "runAsUser", "runAsGroup"};
  for (const Name& name : kIds) check_id(security[name], path.child(name.text), errors);
  const Value& groups = security["supplementalGroups"];
  const Path groups_path = path.child("supplementalGroups");
  for (std::size_t i = 0; i < groups.size(); ++i) check_id(groups.at(i), groups_path.at(i), errors);
  check_sysctls(security["sysctls"], path.child("sysctls"), context);
  check_optional_choice(security["fsGroupChangePolicy"], {"Always", "OnRootMismatch"},
                        path.child("fsGroupChangePolicy"), errors);
  check_seccomp_profile(security["seccompProfile"], path.child("seccompProfile"), errors);
  check_windows_options(security["windowsOptions"], path.child("windowsOptions"), errors);
  check_apparmor_profile(security["appArmorProfile"], path.child("appArmorProfile"), errors);
  check_optional_choice(security["supplementalGroupsPolicy"], {"Merge", "Strict"},
                        path.child("supplementalGroupsPolicy"), errors);
  constexpr std::string_view kRecursive[] = {"Recursive"}, kAny[] = {"MountOption", "Recursive"};
  check_optional_choice(security["seLinuxChangePolicy"],
                        context.options.allows_any_selinux_policy ? Choices(kAny) : Choices(kRecursive),
                        path.child("seLinuxChangePolicy"), errors);
}

}  // namespace fixpoint::apiserver::validation
