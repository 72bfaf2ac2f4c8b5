#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/judges/security_findings.h"
#include "harness/apiserver/warnings/warning_parts.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Name;
using document::Value;

std::string name_of(const Value& container) { return std::string(container["name"].text()); }

bool is_listed(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool allows_app_armor(std::string_view type) { return type == "RuntimeDefault" || type == "Localhost"; }

bool allows_app_armor_annotation(std::string_view profile) {
  return profile.empty() || profile == "runtime/default" || profile.starts_with("localhost/");
}

constexpr auto kDefaultCapabilities = std::to_array<std::string_view>(
    {"AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE",
     "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"});

/// Allowed values, each with the minor since which it is allowed.
struct Allowed {
  std::string_view name;
  int since;
};
constexpr Allowed kSysctls[] = {{"kernel.shm_rmid_forced", 0},
                                {"net.ipv4.ip_local_port_range", 0},
                                {"net.ipv4.tcp_syncookies", 0},
                                {"net.ipv4.ping_group_range", 0},
                                {"net.ipv4.ip_unprivileged_port_start", 0},
                                {"net.ipv4.ip_local_reserved_ports", 27},
                                {"net.ipv4.tcp_keepalive_time", 29},
                                {"net.ipv4.tcp_fin_timeout", 29},
                                {"net.ipv4.tcp_keepalive_intvl", 29},
                                {"net.ipv4.tcp_keepalive_probes", 29},
                                {"net.ipv4.tcp_rmem", 32},
                                {"net.ipv4.tcp_wmem", 32}};
constexpr Allowed kSelinuxTypes[] = {
    {"", 0}, {"container_t", 0}, {"container_init_t", 0}, {"container_kvm_t", 0}, {"container_engine_t", 31}};

bool is_allowed(const auto& rows, std::string_view name, int version) {
  return std::any_of(std::begin(rows), std::end(rows),
                     [&](const Allowed& row) { return row.name == name && row.since <= version; });
}

}  // namespace

std::optional<SecurityFinding> check_app_armor(const Value& pod, int) {
  SortedTexts values;
  const Value& own = pod["spec"]["securityContext"]["appArmorProfile"];
  const bool is_pod = !own.is_null() && !allows_app_armor(own["type"].text());
  if (is_pod) values.emplace(own["type"].text());
  Texts containers;
  each_container(pod, [&](const Value& container) {
    const Value& profile = container["securityContext"]["appArmorProfile"];
    if (profile.is_null() || allows_app_armor(profile["type"].text())) return;
    containers.push_back(name_of(container));
    values.emplace(profile["type"].text());
  });
  SortedTexts annotations;
  for (const Member& member : pod["metadata"]["annotations"].members()) {
    if (!member.key.text().starts_with("container.apparmor.security.beta.kubernetes.io/")) continue;
    if (allows_app_armor_annotation(member.value.text())) continue;
    annotations.insert(std::string(member.key.text()) + "=" + warnings::quoted(member.value.text()));
  }
  Texts setters, all(values.begin(), values.end());
  if (is_pod || !containers.empty()) setters.push_back(setters_text(is_pod, containers));
  if (!annotations.empty()) setters.push_back(counted("annotation", annotations.size()));
  if (setters.empty()) return std::nullopt;
  all.insert(all.end(), annotations.begin(), annotations.end());
  return SecurityFinding{
      counted("forbidden AppArmor profile", all.size()),
      plain_list(setters, " and ") + " must not set AppArmor profile type to " + quoted_list(all)};
}

std::optional<SecurityFinding> check_default_capabilities(const Value& pod, int) {
  Texts containers;
  SortedTexts capabilities;
  each_container(pod, [&](const Value& container) {
    bool is_bad = false;
    for (const Value& added : container["securityContext"]["capabilities"]["add"].elements()) {
      if (is_listed(kDefaultCapabilities, added.text())) continue;
      is_bad = true;
      capabilities.emplace(added.text());
    }
    if (is_bad) containers.push_back(name_of(container));
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{"non-default capabilities", containers_text(containers) + " must not include " +
                                                         quoted_list(capabilities) +
                                                         " in securityContext.capabilities.add"};
}

std::optional<SecurityFinding> check_host_namespaces(const Value& pod, int) {
  Texts shared;
  for (const char* field : {"hostNetwork", "hostPID", "hostIPC"}) {
    if (pod["spec"][field].is_true()) shared.push_back(std::string(field) + "=true");
  }
  if (shared.empty()) return std::nullopt;
  return SecurityFinding{"host namespaces", plain_list(shared)};
}

std::optional<SecurityFinding> check_host_paths(const Value& pod, int) {
  Texts volumes;
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    if (!volume["hostPath"].is_null()) volumes.push_back(name_of(volume));
  }
  if (volumes.empty()) return std::nullopt;
  return SecurityFinding{"hostPath volumes", counted("volume", volumes.size()) + " " + quoted_list(volumes)};
}

std::optional<SecurityFinding> check_host_ports(const Value& pod, int) {
  Texts containers;
  SortedTexts ports;
  each_container(pod, [&](const Value& container) {
    bool is_bad = false;
    for (const Value& port : container["ports"].elements()) {
      if (port["hostPort"].integer().value_or(0) == 0) continue;
      is_bad = true;
      ports.emplace(port["hostPort"].text());
    }
    if (is_bad) containers.push_back(name_of(container));
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{"hostPort", containers_text(containers) +
                                         (containers.size() == 1 ? " uses " : " use ") +
                                         counted("hostPort", ports.size()) + " " + plain_list(ports)};
}

std::optional<SecurityFinding> check_probe_hosts(const Value& pod, int) {
  SortedTexts containers, hosts;
  each_container(pod, [&](const Value& container) {
    const auto look_at = [&](const Value& handler) {
      for (const char* kind : {"httpGet", "tcpSocket"}) {
        const auto host = handler[kind]["host"].text();
        if (host.empty()) continue;
        containers.insert(name_of(container));
        hosts.emplace(host);
      }
    };
    for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) look_at(container[probe]);
    for (const char* hook : {"postStart", "preStop"}) look_at(container["lifecycle"][hook]);
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{"probe or lifecycle host",
                         containers_text(Texts(containers.begin(), containers.end())) +
                             (containers.size() == 1 ? " uses " : " use ") +
                             counted("probe or lifecycle host", hosts.size()) + " " + quoted_list(hosts)};
}

std::optional<SecurityFinding> check_privileged(const Value& pod, int) {
  Texts containers;
  each_container(pod, [&](const Value& container) {
    if (container["securityContext"]["privileged"].is_true()) containers.push_back(name_of(container));
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{"privileged",
                         containers_text(containers) + " must not set securityContext.privileged=true"};
}

std::optional<SecurityFinding> check_proc_mount_always(const Value& pod, int) {
  Texts containers;
  SortedTexts types;
  each_container(pod, [&](const Value& container) {
    const Value& type = container["securityContext"]["procMount"];
    if (type.is_null() || type.text() == "Default") return;
    containers.push_back(name_of(container));
    types.emplace(type.text());
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{"procMount", containers_text(containers) +
                                          " must not set securityContext.procMount to " + quoted_list(types)};
}

std::optional<SecurityFinding> check_proc_mount(const Value& pod, int version) {
  constexpr int kRelaxed = 35;
  if (version >= kRelaxed && has_user_namespace(pod)) return std::nullopt;
  return check_proc_mount_always(pod, version);
}

std::optional<SecurityFinding> check_selinux(const Value& pod, int version) {
  SortedTexts types;
  bool sets_user = false, sets_role = false;
  const auto is_bad = [&](const Value& options) {
    const bool has_type = !is_allowed(kSelinuxTypes, options["type"].text(), version);
    const bool has_user = !options["user"].text().empty(), has_role = !options["role"].text().empty();
    if (has_type) types.emplace(options["type"].text());
    sets_user = sets_user || has_user;
    sets_role = sets_role || has_role;
    return has_type || has_user || has_role;
  };
  const bool is_pod = is_bad(pod["spec"]["securityContext"]["seLinuxOptions"]);
  Texts containers;
  each_container(pod, [&](const Value& container) {
    if (is_bad(container["securityContext"]["seLinuxOptions"])) containers.push_back(name_of(container));
  });
  if (!is_pod && containers.empty()) return std::nullopt;
  Texts values;
  if (!types.empty()) values.push_back(counted("type", types.size()) + " " + quoted_list(types));
  if (sets_user) values.emplace_back("user may not be set");
  if (sets_role) values.emplace_back("role may not be set");
  return SecurityFinding{"seLinuxOptions",
                         setters_text(is_pod, containers) +
                             " set forbidden securityContext.seLinuxOptions: " + plain_list(values, "; ")};
}

std::optional<SecurityFinding> check_seccomp_baseline(const Value& pod, int version) {
  constexpr int kFields = 19;  // before, annotations said it
  if (version >= kFields) return bad_seccomp_types(pod);
  SortedTexts forbidden;
  const auto look_at = [&](const std::string& key) {
    const Value* profile = pod["metadata"]["annotations"].find(key);
    if (profile == nullptr) return;
    const auto text = profile->text();
    if (text != "runtime/default" && text != "docker/default" && !text.starts_with("localhost/"))
      forbidden.insert(key + "=" + warnings::quoted(text));
  };
  look_at("seccomp.security.alpha.kubernetes.io/pod");
  each_container(pod, [&](const Value& container) {
    look_at("container.seccomp.security.alpha.kubernetes.io/" + name_of(container));
  });
  if (forbidden.empty()) return std::nullopt;
  return SecurityFinding{
      "seccompProfile", "forbidden " + counted("annotation", forbidden.size()) + " " + plain_list(forbidden)};
}

std::optional<SecurityFinding> check_sysctls(const Value& pod, int version) {
  Texts forbidden;
  for (const Value& sysctl : pod["spec"]["securityContext"]["sysctls"].elements()) {
    if (!is_allowed(kSysctls, sysctl["name"].text(), version)) forbidden.push_back(name_of(sysctl));
  }
  if (forbidden.empty()) return std::nullopt;
  return SecurityFinding{"forbidden sysctls", plain_list(forbidden)};
}

std::optional<SecurityFinding> check_host_process(const Value& pod, int) {
  const bool is_pod = pod["spec"]["securityContext"]["windowsOptions"]["hostProcess"].is_true();
  Texts containers;
  each_container(pod, [&](const Value& container) {
    if (container["securityContext"]["windowsOptions"]["hostProcess"].is_true())
      containers.push_back(name_of(container));
  });
  if (!is_pod && containers.empty()) return std::nullopt;
  return SecurityFinding{"hostProcess", setters_text(is_pod, containers) +
                                            " must not set securityContext.windowsOptions.hostProcess=true"};
}

}  // namespace fixpoint::apiserver::validating
