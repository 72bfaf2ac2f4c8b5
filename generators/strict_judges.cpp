#include <array>
#include <string>

#include "generators/draw_context.h"
#include "generators/requests.h"
#include "harness/cases/admission_plugins.h"

namespace fixpoint::generators {

namespace {

constexpr std::array<const char*, 6> kAmounts{"0", "100m", "1", "1500m", "2", "3"};
constexpr std::array<const char*, 6> kBytes{"0", "1Mi", "512Mi", "1Gi", "1500Mi", "1e9"};

const char* amount_of(std::string_view resource, Choices& choices) {
  return resource.find("cpu") != std::string_view::npos ? choices.pick(kAmounts) : choices.pick(kBytes);
}

Value in_namespace(const char* kind, const std::string& name, const Case& value) {
  return {{"apiVersion", "v1"},
          {"kind", kind},
          {"metadata", {{"name", name}, {"namespace", value.request.namespace_name}}}};
}

void add_security_labels(Case& value, Choices& choices) {
  static constexpr std::array<const char*, 4> kLevels{"restricted", "baseline", "privileged", "strict"};
  Value& labels = metadata_of_namespace(value).edit("labels");
  const auto set = [&](const std::string& mode, const std::string& text) {
    labels.set("pod-security.kubernetes.io/" + mode, text);
  };
  for (const char* mode : {"enforce", "warn", "audit"}) {
    if (choices.one_in(3)) continue;
    set(mode, choices.pick(kLevels));
    if (choices.coin()) set(std::string(mode) + "-version", "v1." + std::to_string(choices.between(0, 38)));
  }
}

void add_limit_range(Case& value, Choices& choices) {
  if (has_limit_range(value)) return;
  Value range = in_namespace("LimitRange", "limits-" + std::to_string(choices.below(3)), value);
  std::vector<Value> items;
  for (int left = choices.between(1, 2); left > 0; --left) {
    Value item{{"type", choices.coin() ? "Container" : "Pod"}};
    for (const char* bound : {"max", "min", "maxLimitRequestRatio"}) {
      if (choices.coin()) continue;
      const char* resource = choices.coin() ? "cpu" : "memory";
      const bool is_ratio = std::string_view(bound) == "maxLimitRequestRatio";
      item.set(bound, {{resource, is_ratio ? "2" : amount_of(resource, choices)}});
    }
    items.push_back(std::move(item));
  }
  range.edit("spec").set("limits", Value(std::move(items)));
  value.cluster.objects.push_back(std::move(range));
}

void add_quota(Case& value, Choices& choices) {
  static constexpr std::array<const char*, 8> kResources{
      "pods",   "count/pods", "requests.cpu", "limits.memory",
      "memory", "cpu",        "limits.cpu",   "requests.ephemeral-storage"};
  static constexpr std::array<const char*, 4> kScopes{"Terminating", "NotTerminating", "BestEffort",
                                                      "NotBestEffort"};
  Value hard = Value::empty_object(), used = Value::empty_object();
  for (int left = choices.between(1, 3); left > 0; --left) {
    const char* resource = choices.pick(kResources);
    hard.set(resource, amount_of(resource, choices));
    if (!choices.one_in(12)) used.set(resource, choices.coin() ? "0" : amount_of(resource, choices));
  }
  Value quota = in_namespace("ResourceQuota", "quota-" + std::to_string(choices.below(3)), value);
  quota.set("spec", {{"hard", hard}});
  if (choices.one_in(3)) quota.edit("spec").set("scopes", Value::list({choices.pick(kScopes)}));
  quota.set("status", {{"hard", hard}, {"used", used}});
  value.cluster.objects.push_back(std::move(quota));
}

void add_managed_plugin(Case& value, Choices& choices) {
  static constexpr std::array<std::string_view, 5> kManaged{
      "AlwaysPullImages", "PodNodeSelector", "PodTolerationRestriction", "ExtendedResourceToleration",
      "PodTopologyLabels"};
  static constexpr std::array<const char*, 4> kSelectors{"pool=general", "a=b,c=d", "disk = ssd", "no"};
  static constexpr std::array<const char*, 4> kTolerations{
      R"([{"key":"team","operator":"Exists"}])", R"([{"operator":"Exists"}])",
      R"([{"key":"a","value":"b","effect":"NoSchedule"},{"key":"z","operator":"Exists"}])", "{}"};
  const std::string_view plugin = choices.pick(kManaged);
  std::vector<std::string> names;
  for (const std::string_view name : cases::kSimulatedPlugins) {
    if (name == plugin || value.cluster.has_plugin(name)) names.emplace_back(name);
  }
  value.cluster.admission_plugins = std::move(names);
  const auto annotate = [&](const char* name, const char* text) {
    metadata_of_namespace(value)
        .edit("annotations")
        .set(std::string("scheduler.alpha.kubernetes.io/") + name, text);
  };
  if (plugin == "PodNodeSelector") annotate("node-selector", choices.pick(kSelectors));
  if (plugin != "PodTolerationRestriction") return;
  if (choices.coin()) annotate("defaultTolerations", choices.pick(kTolerations));
  if (choices.one_in(3)) annotate("tolerationsWhitelist", choices.pick(kTolerations));
}

struct StrictPart {
  std::uint64_t one_in;
  void (*add)(Case& value, Choices& choices);
};
constexpr StrictPart kStrictParts[] = {
    {3, add_security_labels}, {3, add_limit_range}, {3, add_quota}, {4, add_managed_plugin}};

}  // namespace

void put_strict_judges(Case& value, Choices& choices) {
  for (const StrictPart& part : kStrictParts) {
    if (choices.one_in(part.one_in)) part.add(value, choices);
  }
}

}  // namespace fixpoint::generators
