#include "harness/cases/admission_plugins.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/document/json.h"

namespace fixpoint::cases {

namespace {

using document::Fields;
using document::Member;

/// Plugins that every request passes, whatever the list says.
constexpr auto kAlwaysOn =
    std::to_array<std::string_view>({"NamespaceLifecycle", "PodSecurity", "NodeDeclaredFeatureValidator",
                                     "PodResizeValidator", "MutatingAdmissionWebhook", "ResourceQuota"});

/// Plugins of the server that may act on a Pod, and that the simulator does not have.
constexpr auto kNotSimulated = std::to_array<std::string_view>(
    {"AlwaysAdmit", "AlwaysDeny", "NamespaceAutoProvision", "NamespaceExists",
     "LimitPodHardAntiAffinityTopology", "NodeRestriction", "ImagePolicyWebhook", "EventRateLimit",
     "OwnerReferencesPermissionEnforcement", "PodGroupWorkloadExists", "MutatingAdmissionPolicy",
     "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook"});

/// Plugins of the server that do nothing to a Pod.
constexpr auto kNothingToPods = std::to_array<std::string_view>(
    {"TaintNodesByCondition", "DefaultStorageClass", "StorageObjectInUseProtection", "PodGroupProtection",
     "PersistentVolumeClaimResize", "CertificateApproval", "CertificateSigning", "ClusterTrustBundleAttest",
     "CertificateSubjectRestriction", "DefaultIngressClass", "DenyServiceExternalIPs", "JobValidation"});

bool is_among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string complaint_about(std::string_view name) {
  if (is_among(kNotSimulated, name)) return "not simulated: " + std::string(name);
  if (is_among(kAlwaysOn, name)) return std::string(name) + " is always on, so leave it out";
  if (is_among(kNothingToPods, name)) return std::string(name) + " does nothing to Pods, so leave it out";
  return "expected the name of an admission plugin" +
         document::did_you_mean_suffix(name, {kSimulatedPlugins.begin(), kSimulatedPlugins.end()});
}

void read_seconds(Fields& settings) {
  for (const char* flag :
       {"default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"}) {
    std::int64_t seconds = 0;
    settings.optional(flag, seconds);
  }
}

/// The configuration's map: a namespace, or clusterDefaultNodeSelector, to a selector.
void read_selectors(Fields& settings, const Value& source) {
  for (const Member& member : source.members()) {
    std::string selector;
    settings.optional(member.key.text(), selector);
  }
}

void read_tolerations(Fields& settings) {
  for (const char* name : {"default", "whitelist"}) {
    settings.list(name, [&](const Value& toleration, const std::string&) {
      if (!toleration.is_object()) settings.fail(name, "expected tolerations");
    });
  }
}

void read_settings(std::string_view plugin, const Value& source, const std::string& pointer,
                   std::optional<Error>& problem) {
  Fields settings(source, pointer, problem);
  if (plugin == "DefaultTolerationSeconds") read_seconds(settings);
  if (plugin == "PodNodeSelector") read_selectors(settings, source);
  if (plugin == "PodTolerationRestriction") read_tolerations(settings);
  settings.finish();
}

}  // namespace

void read_admission_plugins(Fields& fields, Cluster& cluster, std::optional<Error>& problem) {
  if (!fields.has("admissionPlugins")) return;
  std::set<std::string, std::less<>> wanted;
  fields.list("admissionPlugins", [&](const Value& entry, const std::string& pointer) {
    std::string name(entry.text());
    if (entry.is_object()) {
      Fields plugin(entry, pointer, problem);
      plugin.required("name", name);
      Value settings;
      plugin.optional("settings", settings);
      plugin.finish();
      if (!settings.is_null()) {
        read_settings(name, settings, pointer + "/settings", problem);
        if (!settings.empty()) cluster.plugin_settings.insert_or_assign(name, std::move(settings));
      }
    }
    if (!is_among(kSimulatedPlugins, name) && !problem)
      problem = Error{complaint_about(name), entry.is_object() ? pointer + "/name" : pointer};
    wanted.insert(std::move(name));
  });
  cluster.admission_plugins.clear();
  for (const std::string_view plugin : kSimulatedPlugins) {
    if (wanted.contains(plugin)) cluster.admission_plugins.emplace_back(plugin);
  }
}

Value write_admission_plugins(const Cluster& cluster) {
  std::vector<Value> plugins;
  for (const std::string& plugin : cluster.admission_plugins) {
    const auto settings = cluster.plugin_settings.find(plugin);
    if (settings == cluster.plugin_settings.end()) {
      plugins.emplace_back(plugin);
    } else {
      plugins.push_back({{"name", plugin}, {"settings", sorted(settings->second)}});
    }
  }
  return plugins;
}

}  // namespace fixpoint::cases
