#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/judges/security_findings.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Name;
using document::Value;

constexpr int kWindowsExempt = 25;  ///< since then, a Pod for Windows need not set what only Linux has
constexpr int kUserNamespacesRelaxed = 35;

std::string its_name(const Value& container) { return std::string(container["name"].text()); }

bool is_exempt_windows(const Value& pod, int version) {
  return version >= kWindowsExempt && pod["spec"]["os"]["name"].text() == "windows";
}

constexpr Name kAllowedVolumes[] = {"configMap", "csi",   "downwardAPI",           "emptyDir",
                                    "ephemeral", "image", "persistentVolumeClaim", "projected",
                                    "secret"};
/// In the order in which the server looks for the source of a volume.
constexpr Name kOtherVolumes[] = {"hostPath",
                                  "gcePersistentDisk",
                                  "awsElasticBlockStore",
                                  "gitRepo",
                                  "nfs",
                                  "iscsi",
                                  "glusterfs",
                                  "rbd",
                                  "flexVolume",
                                  "cinder",
                                  "cephfs",
                                  "flocker",
                                  "fc",
                                  "azureFile",
                                  "vsphereVolume",
                                  "quobyte",
                                  "azureDisk",
                                  "photonPersistentDisk",
                                  "portworxVolume",
                                  "scaleIO",
                                  "storageos"};

bool has_any(const Value& volume, const auto& sources) {
  return std::any_of(std::begin(sources), std::end(sources),
                     [&](const Name& source) { return !volume[source].is_null(); });
}

std::string source_of(const Value& volume) {
  for (const Name& source : kOtherVolumes) {
    if (!volume[source].is_null()) return std::string(source.text);
  }
  return "unknown";
}

}  // namespace

bool has_user_namespace(const Value& pod) {
  const Value& host_users = pod["spec"]["hostUsers"];
  return host_users.is_boolean() && !host_users.is_true();
}

bool is_confining_seccomp(std::string_view type) { return type == "RuntimeDefault" || type == "Localhost"; }

std::optional<SecurityFinding> bad_seccomp_types(const Value& pod) {
  SortedTexts types;
  const auto is_bad = [&](const Value& context) {
    const Value& profile = context["seccompProfile"];
    if (profile.is_null() || is_confining_seccomp(profile["type"].text())) return false;
    types.emplace(profile["type"].text());
    return true;
  };
  const bool is_pod = is_bad(pod["spec"]["securityContext"]);
  Texts containers;
  each_container(pod, [&](const Value& container) {
    if (is_bad(container["securityContext"])) containers.push_back(its_name(container));
  });
  if (!is_pod && containers.empty()) return std::nullopt;
  return SecurityFinding{"seccompProfile", setters_text(is_pod, containers) +
                                               " must not set securityContext.seccompProfile.type to " +
                                               quoted_list(types)};
}

std::optional<SecurityFinding> check_privilege_escalation(const Value& pod, int version) {
  if (is_exempt_windows(pod, version)) return std::nullopt;
  Texts containers;
  each_container(pod, [&](const Value& container) {
    const Value& allows = container["securityContext"]["allowPrivilegeEscalation"];
    if (!allows.is_boolean() || allows.is_true()) containers.push_back(its_name(container));
  });
  if (containers.empty()) return std::nullopt;
  return SecurityFinding{
      "allowPrivilegeEscalation != false",
      containers_text(containers) + " must set securityContext.allowPrivilegeEscalation=false"};
}

std::optional<SecurityFinding> check_dropped_capabilities(const Value& pod, int version) {
  if (is_exempt_windows(pod, version)) return std::nullopt;
  Texts keeping, adding;
  SortedTexts added;
  each_container(pod, [&](const Value& container) {
    const Value& capabilities = container["securityContext"]["capabilities"];
    const auto dropped = capabilities["drop"].elements();
    const bool drops_all =
        std::any_of(dropped.begin(), dropped.end(), [](const Value& one) { return one.text() == "ALL"; });
    if (!drops_all) keeping.push_back(its_name(container));
    bool adds = false;
    for (const Value& one : capabilities["add"].elements()) {
      if (one.text() == "NET_BIND_SERVICE") continue;
      adds = true;
      added.emplace(one.text());
    }
    if (adds) adding.push_back(its_name(container));
  });
  Texts details;
  if (!keeping.empty())
    details.push_back(containers_text(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
  if (!adding.empty())
    details.push_back(containers_text(adding) + " must not include " + quoted_list(added) +
                      " in securityContext.capabilities.add");
  if (details.empty()) return std::nullopt;
  return SecurityFinding{"unrestricted capabilities", plain_list(details, "; ")};
}

std::optional<SecurityFinding> check_volume_types(const Value& pod, int) {
  Texts volumes;
  SortedTexts types;
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    if (has_any(volume, kAllowedVolumes)) continue;
    volumes.push_back(its_name(volume));
    types.insert(source_of(volume));
  }
  if (volumes.empty()) return std::nullopt;
  return SecurityFinding{"restricted volume types",
                         counted("volume", volumes.size()) + " " + quoted_list(volumes) +
                             (volumes.size() == 1 ? " uses " : " use ") +
                             counted("restricted volume type", types.size()) + " " + quoted_list(types)};
}

std::optional<SecurityFinding> check_run_as_non_root(const Value& pod, int version) {
  if (version >= kUserNamespacesRelaxed && has_user_namespace(pod)) return std::nullopt;
  const Value& own = pod["spec"]["securityContext"]["runAsNonRoot"];
  const bool is_pod = own.is_boolean() && !own.is_true();
  Texts saying_false, saying_nothing;
  each_container(pod, [&](const Value& container) {
    const Value& said = container["securityContext"]["runAsNonRoot"];
    if (said.is_boolean()) {
      if (!said.is_true()) saying_false.push_back(its_name(container));
    } else if (!own.is_true()) {
      saying_nothing.push_back(its_name(container));
    }
  });
  const char* reason = "runAsNonRoot != true";
  if (is_pod || !saying_false.empty()) {
    return SecurityFinding{
        reason, setters_text(is_pod, saying_false) + " must not set securityContext.runAsNonRoot=false"};
  }
  if (saying_nothing.empty()) return std::nullopt;
  return SecurityFinding{
      reason, "pod or " + containers_text(saying_nothing) + " must set securityContext.runAsNonRoot=true"};
}

std::optional<SecurityFinding> check_run_as_user(const Value& pod, int version) {
  if (version >= kUserNamespacesRelaxed && has_user_namespace(pod)) return std::nullopt;
  const auto is_root = [](const Value& context) {
    const Value& user = context["runAsUser"];
    return user.is_number() && user.integer() == 0;
  };
  const bool is_pod = is_root(pod["spec"]["securityContext"]);
  Texts containers;
  each_container(pod, [&](const Value& container) {
    if (is_root(container["securityContext"])) containers.push_back(its_name(container));
  });
  if (!is_pod && containers.empty()) return std::nullopt;
  return SecurityFinding{"runAsUser=0", setters_text(is_pod, containers) + " must not set runAsUser=0"};
}

std::optional<SecurityFinding> check_seccomp_restricted(const Value& pod, int version) {
  if (is_exempt_windows(pod, version)) return std::nullopt;
  if (auto bad = bad_seccomp_types(pod)) return bad;
  if (!pod["spec"]["securityContext"]["seccompProfile"].is_null()) return std::nullopt;
  Texts saying_nothing;
  each_container(pod, [&](const Value& container) {
    if (container["securityContext"]["seccompProfile"].is_null())
      saying_nothing.push_back(its_name(container));
  });
  if (saying_nothing.empty()) return std::nullopt;
  return SecurityFinding{"seccompProfile",
                         "pod or " + containers_text(saying_nothing) +
                             " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or "
                             "\"Localhost\""};
}

}  // namespace fixpoint::apiserver::validating
