#include "harness/apiserver/judges/pod_security_checks.h"

#include "harness/apiserver/judges/security_findings.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Value;

constexpr int kNeverReplaced = 1000;

/// A check of a level. A check of the level baseline is part of the level restricted too, until that has a
/// stricter check of its own, from the minor `replaced` on.
struct Row {
  SecurityLevel level;
  int since;
  int replaced;
  SecurityCheck check;
};

/// In the order in which the server reports: baseline first, each level by the names of its checks.
constexpr Row kChecks[] = {
    {SecurityLevel::baseline, 0, kNeverReplaced, check_app_armor},
    {SecurityLevel::baseline, 0, 22, check_default_capabilities},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_host_namespaces},
    {SecurityLevel::baseline, 0, 0, check_host_paths},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_host_ports},
    {SecurityLevel::baseline, 34, kNeverReplaced, check_probe_hosts},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_privileged},
    {SecurityLevel::baseline, 0, 35, check_proc_mount},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_selinux},
    {SecurityLevel::baseline, 0, 19, check_seccomp_baseline},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_sysctls},
    {SecurityLevel::baseline, 0, kNeverReplaced, check_host_process},
    {SecurityLevel::restricted, 8, kNeverReplaced, check_privilege_escalation},
    {SecurityLevel::restricted, 22, kNeverReplaced, check_dropped_capabilities},
    {SecurityLevel::restricted, 35, kNeverReplaced, check_proc_mount_always},
    {SecurityLevel::restricted, 0, kNeverReplaced, check_volume_types},
    {SecurityLevel::restricted, 0, kNeverReplaced, check_run_as_non_root},
    {SecurityLevel::restricted, 23, kNeverReplaced, check_run_as_user},
    {SecurityLevel::restricted, 19, kNeverReplaced, check_seccomp_restricted},
};

}  // namespace

std::optional<std::string> broken_checks(const Value& pod, SecurityLevel level, int version) {
  std::string broken;
  if (level == SecurityLevel::privileged) return std::nullopt;
  for (const Row& row : kChecks) {
    if (row.level > level || row.since > version) continue;
    if (level == SecurityLevel::restricted && row.replaced <= version) continue;
    const auto finding = row.check(pod, version);
    if (!finding) continue;
    broken.append(broken.empty() ? "" : ", ").append(finding->reason);
    if (!finding->detail.empty()) broken.append(" (").append(finding->detail).append(")");
  }
  if (broken.empty()) return std::nullopt;
  return broken;
}

}  // namespace fixpoint::apiserver::validating
