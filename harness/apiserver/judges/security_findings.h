#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::apiserver::validating {

/// One check that a Pod breaks: the reason, and the details behind it.
struct SecurityFinding {
  std::string reason, detail;
};
using SecurityCheck = std::optional<SecurityFinding> (*)(const document::Value& pod, int version);

using Texts = std::vector<std::string>;
using SortedTexts = std::set<std::string>;

/// "a", "b"
std::string quoted_list(const auto& texts) {
  std::string out;
  for (const auto& text : texts) out.append(out.empty() ? "\"" : ", \"").append(text).append("\"");
  return out;
}
std::string plain_list(const auto& texts, std::string_view separator = ", ") {
  std::string out;
  for (const auto& text : texts) out.append(out.empty() ? "" : separator).append(text);
  return out;
}
/// "container" for one, "containers" for several.
inline std::string counted(std::string_view word, std::size_t count) {
  return std::string(word).append(count == 1 ? "" : "s");
}
/// containers "a", "b"
inline std::string containers_text(const Texts& names) {
  return counted("container", names.size()) + " " + quoted_list(names);
}
/// pod and container "a"
inline std::string setters_text(bool is_pod, const Texts& containers) {
  Texts setters;
  if (is_pod) setters.emplace_back("pod");
  if (!containers.empty()) setters.push_back(containers_text(containers));
  return plain_list(setters, " and ");
}

// The checks: security_baseline.cpp and security_restricted.cpp.
std::optional<SecurityFinding> check_app_armor(const document::Value& pod, int version);
std::optional<SecurityFinding> check_default_capabilities(const document::Value& pod, int version);
std::optional<SecurityFinding> check_host_namespaces(const document::Value& pod, int version);
std::optional<SecurityFinding> check_host_paths(const document::Value& pod, int version);
std::optional<SecurityFinding> check_host_ports(const document::Value& pod, int version);
std::optional<SecurityFinding> check_probe_hosts(const document::Value& pod, int version);
std::optional<SecurityFinding> check_privileged(const document::Value& pod, int version);
std::optional<SecurityFinding> check_proc_mount(const document::Value& pod, int version);
std::optional<SecurityFinding> check_proc_mount_always(const document::Value& pod, int version);
std::optional<SecurityFinding> check_selinux(const document::Value& pod, int version);
std::optional<SecurityFinding> check_seccomp_baseline(const document::Value& pod, int version);
std::optional<SecurityFinding> check_sysctls(const document::Value& pod, int version);
std::optional<SecurityFinding> check_host_process(const document::Value& pod, int version);
std::optional<SecurityFinding> check_privilege_escalation(const document::Value& pod, int version);
std::optional<SecurityFinding> check_dropped_capabilities(const document::Value& pod, int version);
std::optional<SecurityFinding> check_volume_types(const document::Value& pod, int version);
std::optional<SecurityFinding> check_run_as_non_root(const document::Value& pod, int version);
std::optional<SecurityFinding> check_run_as_user(const document::Value& pod, int version);
std::optional<SecurityFinding> check_seccomp_restricted(const document::Value& pod, int version);

/// Returns true for a profile type that both seccomp checks allow.
bool is_confining_seccomp(std::string_view type);
/// The finding about seccomp types that are set and not allowed; empty if there is none.
std::optional<SecurityFinding> bad_seccomp_types(const document::Value& pod);
/// Returns true if the Pod has a user namespace of its own, for which some checks are relaxed since 1.35.
bool has_user_namespace(const document::Value& pod);

}  // namespace fixpoint::apiserver::validating
