#include <algorithm>
#include <array>

#include "generators/conforming_pod.h"
#include "generators/draw_context.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/judges/pod_security_checks.h"
#include "harness/cases/admission_plugins.h"
#include "harness/properties/drawn_objects.h"

namespace fixpoint::generators {

namespace {

using apiserver::validating::has_security_labels;
using apiserver::validating::kSecurityLabels;
using apiserver::validating::SecurityLevel;

constexpr std::uint64_t kJudgedOneIn = 10, kDemandedOneIn = 3, kManagedOneIn = 40;

Value drawn(const char* kind, const char* name, const Case& value) {
  return {{"apiVersion", "v1"},
          {"kind", kind},
          {"metadata",
           {{"name", name},
            {"namespace", value.request.namespace_name},
            {"annotations", {{properties::kDrawnAnnotation, "yes"}}}}}};
}

void ask_for_level(Case& value, Choices& choices, const char* level) {
  Value& metadata = metadata_of_namespace(value);
  if (has_security_labels(metadata["labels"])) return;
  metadata.edit("annotations").set(properties::kDrawnAnnotation, "yes");
  metadata.edit("labels").set(std::string(kSecurityLabels) + "enforce", level);
  if (choices.one_in(4))
    metadata.edit("labels").set(std::string(kSecurityLabels) + "enforce-version", "v1.30");
}

/// The level baseline, which most workloads meet; seldom for a Pod that does not.
void security_level(Case& value, Choices& choices) {
  const int minor = apiserver::minor_of(value.cluster);
  const auto broken =
      apiserver::validating::broken_checks(value.request.object, SecurityLevel::baseline, minor);
  if (!broken || choices.one_in(8)) ask_for_level(value, choices, "baseline");
}

/// The level restricted, for a Pod whose author knows it.
void restricted_level(Case& value, Choices& choices) {
  Value pod = value.request.object;
  harden(pod, choices);
  const int minor = apiserver::minor_of(value.cluster);
  if (apiserver::validating::broken_checks(pod, SecurityLevel::restricted, minor))
    return security_level(value, choices);
  value.request.object = std::move(pod);
  ask_for_level(value, choices, "restricted");
}

/// Bounds that only something large breaks.
void wide_bounds(Case& value, Choices& choices) {
  if (has_limit_range(value)) return;
  static const std::array<Value, 3> bounds{
      Value{{"type", "Container"},
            {"default", {{"cpu", "1"}, {"memory", "1Gi"}}},
            {"max", {{"cpu", "128"}, {"memory", "256Gi"}}}},
      Value{{"type", "Container"}, {"default", {{"cpu", "2"}}}, {"maxLimitRequestRatio", {{"cpu", "4000"}}}},
      Value{{"type", "Container"}, {"defaultRequest", {{"memory", "64Mi"}}}, {"min", {{"memory", "1Ki"}}}}};
  Value range = drawn("LimitRange", "drawn-limits", value);
  range.edit("spec").set("limits", Value::list({choices.pick(bounds)}));
  value.cluster.objects.push_back(std::move(range));
}

/// Maxima that small containers keep, and that every container must state.
void maxima(Case& value, Choices& choices) {
  if (has_limit_range(value)) return;
  give_amounts(value.request.object, choices);
  Value range = drawn("LimitRange", "drawn-limits", value);
  const Value most{{"cpu", choices.coin() ? "2" : "4"}, {"memory", "4Gi"}};
  range.edit("spec").set("limits", Value::list({Value{{"type", "Container"}, {"max", most}}}));
  value.cluster.objects.push_back(std::move(range));
}

void add_quota(Case& value, const Value& hard, const Value& used) {
  Value quota = drawn("ResourceQuota", "drawn-quota", value);
  quota.set("spec", {{"hard", hard}});
  quota.set("status", {{"hard", hard}, {"used", used}});
  value.cluster.objects.push_back(std::move(quota));
}

/// A quota of cpu and memory, in which every container must say what it asks for.
void quota_of_amounts(Case& value, Choices& choices) {
  static const std::array<Value, 3> hard{
      Value{
          {"requests.cpu", "1k"}, {"requests.memory", "4Ti"}, {"limits.cpu", "1k"}, {"limits.memory", "4Ti"}},
      Value{{"requests.cpu", "1k"}, {"requests.memory", "4Ti"}},
      Value{{"limits.cpu", "1k"}, {"limits.memory", "4Ti"}}};
  give_amounts(value.request.object, choices);
  const Value& chosen = choices.pick(hard);
  Value used = Value::empty_object();
  for (const auto& member : chosen.members()) used.set(member.key.name(), "0");
  add_quota(value, chosen, used);
}

void quota_of_pods(Case& value, Choices& choices) {
  static const std::array<const char*, 3> counted{"pods", "count/pods", "requests.ephemeral-storage"};
  const char* resource = choices.pick(counted);
  const bool is_storage = std::string_view(resource) == "requests.ephemeral-storage";
  const Value hard{{resource, is_storage ? "4Ti" : "100"}}, used{{resource, is_storage ? "1Gi" : "7"}};
  add_quota(value, hard, used);
}

void switch_on(Case& value, std::string_view plugin, Value settings = {}) {
  cases::Cluster& cluster = value.cluster;
  std::vector<std::string> names;
  for (const std::string_view name : cases::kSimulatedPlugins) {
    if (name == plugin || cluster.has_plugin(name)) names.emplace_back(name);
  }
  cluster.admission_plugins = std::move(names);
  if (!settings.is_null()) cluster.plugin_settings.insert_or_assign(std::string(plugin), std::move(settings));
}

void always_pulled(Case& value, Choices&) { switch_on(value, "AlwaysPullImages"); }

void node_selector(Case& value, Choices& choices) {
  if (choices.coin())
    return switch_on(value, "PodNodeSelector", {{"clusterDefaultNodeSelector", "pool=general"}});
  switch_on(value, "PodNodeSelector");
  metadata_of_namespace(value)
      .edit("annotations")
      .set("scheduler.alpha.kubernetes.io/node-selector", "pool=general");
}

void restricted_tolerations(Case& value, Choices& choices) {
  const Value more = Value::list({Value{{"key", "team"}, {"operator", "Exists"}, {"effect", "NoSchedule"}}});
  if (choices.coin()) return switch_on(value, "PodTolerationRestriction", {{"default", more}});
  switch_on(value, "PodTolerationRestriction");
}

void extended_resources(Case& value, Choices&) { switch_on(value, "ExtendedResourceToleration"); }

void toleration_seconds(Case& value, Choices& choices) {
  switch_on(value, "DefaultTolerationSeconds",
            {{"default-not-ready-toleration-seconds", choices.between(0, 600)}});
}

void topology_labels(Case& value, Choices&) {
  switch_on(value, "PodTopologyLabels");
  const auto node = value.request.object["spec"]["nodeName"].text();
  if (node.empty()) return;
  value.cluster.add_missing(
      {{"apiVersion", "v1"},
       {"kind", "Node"},
       {"metadata",
        {{"name", node},
         {"labels", {{"topology.kubernetes.io/region", "eu"}, {"topology.kubernetes.io/zone", "eu-1"}}}}}});
}

using DrawPart = void (*)(Case& value, Choices& choices);
constexpr std::array<DrawPart, 4> kJudges{security_level, wide_bounds, security_level, quota_of_pods};
/// Rules that many right webhooks break, since they demand something of every container.
constexpr std::array<DrawPart, 5> kDemanding{restricted_level, quota_of_amounts, maxima, restricted_level,
                                             quota_of_amounts};
constexpr std::array<DrawPart, 6> kManaged{extended_resources, topology_labels, toleration_seconds,
                                           node_selector,      always_pulled,   restricted_tolerations};

}  // namespace

void draw_judges(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  const bool is_plain = !value.request.is_update() && value.request.object.is_object();
  const bool is_alone = value.neighbours && value.neighbours->empty();
  if (prepared_subject.is_outside && is_alone && is_plain && choices.one_in(kDemandedOneIn))
    choices.pick(kDemanding)(value, choices);
  else if (choices.one_in(kJudgedOneIn) && is_plain)
    choices.pick(kJudges)(value, choices);
  if (choices.one_in(kManagedOneIn) && is_plain) choices.pick(kManaged)(value, choices);
}

}  // namespace fixpoint::generators
