#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_autoscaler.h"
#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/types/plain_types.h"
#include "harness/apiserver/types/quantity.h"

// HorizontalPodAutoscalers of autoscaling/v2 (pkg/apis/autoscaling/validation,
// pkg/registry/autoscaling/horizontalpodautoscaler).
namespace fixpoint::apiserver::kinds {

namespace {

/// The first minors whose server asks for the group of the target, and that reads tolerances.
constexpr int kGroupAsked = 36, kToleranceRead = 35;

void set_autoscaler_defaults(Value& autoscaler, int minor) {
  if (auto decoded = decode_as(kHorizontalPodAutoscaler, default_autoscaler(autoscaler), minor))
    autoscaler = *std::move(decoded);
}

bool has_tolerance(const Value& autoscaler) {
  const Value& behavior = autoscaler["spec"]["behavior"];
  return !behavior["scaleUp"]["tolerance"].is_null() || !behavior["scaleDown"]["tolerance"].is_null();
}

/// Tolerances are behind a gate (dropDisabledFields).
void prepare_autoscaler(Value& autoscaler, const Value& old, int minor) {
  if (minor >= kToleranceRead || has_tolerance(old) || !has_tolerance(autoscaler)) return;
  Value& behavior = autoscaler.edit("spec").edit("behavior");
  for (const char* direction : {"scaleUp", "scaleDown"})
    if (behavior[direction].is_object()) behavior.edit(direction).remove("tolerance");
}

/// The rule for the version of a reference to an object.
enum class VersionRule { none, any, with_group };

std::string version_problem(std::string_view version, VersionRule rule) {
  if (rule == VersionRule::none) return {};
  const auto slashes = version == "/" ? 0 : std::count(version.begin(), version.end(), '/');
  if (slashes > 1) return Text("unexpected GroupVersion string: {}").with({version});
  const bool has_group = slashes == 1 && !version.starts_with('/');
  return rule == VersionRule::any || has_group ? std::string() : "apiVersion must specify API group";
}

void check_segment(const Value& name, const Path& path, validation::Detail missing, Errors& errors) {
  if (name.text().empty()) return errors.required(path, missing);
  errors.invalid(path, name.text(), validation::check_path_segment(name.text(), false));
}

/// ValidateCrossVersionObjectReference.
void check_reference(const Value& reference, VersionRule rule, const Path& path, Errors& errors) {
  check_segment(reference["kind"], path.child("kind"), {}, errors);
  check_segment(reference["name"], path.child("name"), {}, errors);
  const std::string_view version = reference["apiVersion"].text();
  if (const std::string problem = version_problem(version, rule); !problem.empty())
    errors.invalid(path.child("apiVersion"), version, problem);
}

void check_positive(const Value& quantity, const Path& path, Errors& errors) {
  if (quantity.is_null()) return;
  const auto read = Quantity::parse(quantity.text());
  if (!read || read->sign() != 1) errors.invalid(path, quantity, Text("must be positive"));
}

/// validateMetricTarget.
void check_target(const Value& target, const Path& path, Errors& errors) {
  constexpr std::string_view kTypes[] = {"Utilization", "Value", "AverageValue"};
  const std::string_view type = target["type"].text();
  if (type.empty()) errors.required(path.child("type"), Text("must specify a metric target type"));
  if (!validation::is_one_of(type, kTypes))
    errors.invalid_typed(path.child("type"), type,
                         Text("must be either Utilization, Value, or AverageValue"));
  check_positive(target["value"], path.child("value"), errors);
  check_positive(target["averageValue"], path.child("averageValue"), errors);
  const Value& utilization = target["averageUtilization"];
  if (!utilization.is_null() && utilization.integer().value_or(0) < 1)
    errors.invalid(path.child("averageUtilization"), utilization, Text("must be greater than 0"));
}

void check_metric_name(const Value& source, const Path& path, Errors& errors) {
  check_segment(source["metric"]["name"], path.child("metric.name"), Text("must specify a metric name"),
                errors);
}

void check_object_source(const Value& source, VersionRule rule, const Path& path, Errors& errors) {
  const Value& target = source["target"];
  check_reference(source["describedObject"], rule, path.child("describedObject"), errors);
  check_metric_name(source, path, errors);
  check_target(target, path.child("target"), errors);
  if (target["value"].is_null() && target["averageValue"].is_null())
    errors.required(path.child("target.averageValue"),
                    Text("must set either a target value or averageValue"));
}

void check_external_source(const Value& source, VersionRule, const Path& path, Errors& errors) {
  const Value& target = source["target"];
  const bool has_value = !target["value"].is_null(), has_average = !target["averageValue"].is_null();
  check_metric_name(source, path, errors);
  check_target(target, path.child("target"), errors);
  if (!has_value && !has_average)
    errors.required(path.child("target.averageValue"),
                    Text("must set either a target value for metric or a per-pod target"));
  if (has_value && has_average)
    errors.forbidden(path.child("target.value"),
                     Text("may not set both a target value for metric and a per-pod target"));
}

void check_pods_source(const Value& source, VersionRule, const Path& path, Errors& errors) {
  check_metric_name(source, path, errors);
  check_target(source["target"], path.child("target"), errors);
  if (source["target"]["averageValue"].is_null())
    errors.required(path.child("target.averageValue"), Text("must specify a positive target averageValue"));
}

void check_usage(const Value& target, const Path& path, Errors& errors) {
  const bool has_share = !target["averageUtilization"].is_null(), has_raw = !target["averageValue"].is_null();
  check_target(target, path, errors);
  if (!has_share && !has_raw)
    errors.required(path.child("averageUtilization"),
                    Text("must set either a target raw value or a target utilization"));
  if (has_share && has_raw)
    errors.forbidden(path.child("averageValue"),
                     Text("may not set both a target raw value and a target utilization"));
}

void check_resource_source(const Value& source, VersionRule, const Path& path, Errors& errors) {
  if (source["name"].text().empty())
    errors.required(path.child("name"), Text("must specify a resource name"));
  check_usage(source["target"], path.child("target"), errors);
}

void check_container_source(const Value& source, VersionRule, const Path& path, Errors& errors) {
  const std::string_view name = source["name"].text(), container = source["container"].text();
  if (name.empty())
    errors.required(path.child("name"), Text("must specify a resource name"));
  else
    validation::check_container_resource_name(name, path.child("name"), errors);
  if (container.empty())
    errors.required(path.child("container"), Text("must specify a container"));
  else
    errors.invalid(path.child("container"), container, validation::check_dns_label(container));
  check_usage(source["target"], path.child("target"), errors);
}

struct Source {
  std::string_view type;
  Name member;
  void (*check)(const Value& source, VersionRule rule, const Path& path, Errors& errors);
};
/// In the order in which the server looks at them.
constexpr Source kSources[] = {{"Object", "object", check_object_source},
                               {"External", "external", check_external_source},
                               {"Pods", "pods", check_pods_source},
                               {"Resource", "resource", check_resource_source},
                               {"ContainerResource", "containerResource", check_container_source}};

/// validateMetricSpec: only the first source that is present is looked into.
void check_metric(const Value& metric, VersionRule rule, const Path& path, Errors& errors) {
  constexpr std::string_view kTypes[] = {"ContainerResource", "External", "Object", "Pods", "Resource"};
  const std::string_view type = metric["type"].text();
  if (type.empty()) errors.required(path.child("type"), Text("must specify a metric source type"));
  std::vector<const Source*> present;
  bool is_known = false;
  for (const Source& source : kSources) {
    const Value& value = metric[source.member];
    is_known = is_known || source.type == type;
    if (!value.is_null()) {
      if (present.empty()) source.check(value, rule, path.child(source.member.text), errors);
      present.push_back(&source);
    } else if (source.type == type) {
      errors.required(path.child(source.member.text),
                      Text("must populate information for the given metric source"));
    }
  }
  if (!is_known)
    for (int asked = 0; asked < 2; ++asked) errors.not_supported(path.child("type"), type, kTypes);
  if (present.size() < 2) return;
  for (const Source* source : present)
    if (source->type != type)
      errors.forbidden(path.child(source->member.text), Text("must populate the given metric source only"));
}

void check_metrics(const Value& spec, VersionRule rule, const Path& path, Errors& errors) {
  const Value& metrics = spec["metrics"];
  bool scales_from_zero = false;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string_view type = metrics.at(i)["type"].text();
    check_metric(metrics.at(i), rule, path.at(i), errors);
    scales_from_zero = scales_from_zero || type == "Object" || type == "External";
  }
  if (spec["minReplicas"].integer() == 0 && !scales_from_zero)
    errors.forbidden(path, Text("must specify at least one Object or External metric to support scaling to "
                                "zero replicas"));
}

void check_policy(const Value& policy, const Path& path, Errors& errors) {
  constexpr std::string_view kTypes[] = {"Percent", "Pods"};
  constexpr std::int64_t kPeriodSecondsMax = 1800;
  const std::string_view type = policy["type"].text();
  if (!validation::is_one_of(type, kTypes)) errors.not_supported(path.child("type"), type, kTypes);
  for (const Name& member : {Name("value"), Name("periodSeconds")})
    if (policy[member].integer().value_or(0) <= 0)
      errors.invalid(path.child(member.text), policy[member], Text("must be greater than zero"));
  if (policy["periodSeconds"].integer().value_or(0) > kPeriodSecondsMax)
    errors.invalid(path.child("periodSeconds"), policy["periodSeconds"],
                   Text("must be less than or equal to 1800"));
}

/// An explicit empty list of policies keeps the defaults away; decoding drops it here.
void check_scaling(const Value& rules, const Value& sent, const Path& path, Errors& errors) {
  constexpr std::string_view kSelections[] = {"Disabled", "Max", "Min"};
  constexpr std::int64_t kWindowSecondsMax = 3600;
  if (rules.is_null()) return;
  const Value& window = rules["stabilizationWindowSeconds"];
  const Path window_path = path.child("stabilizationWindowSeconds");
  if (window.integer().value_or(0) < 0)
    errors.invalid(window_path, window, Text("must be greater than or equal to zero"));
  if (window.integer().value_or(0) > kWindowSecondsMax)
    errors.invalid(window_path, window, Text("must be less than or equal to 3600"));
  if (const Value& selection = rules["selectPolicy"];
      !selection.is_null() && !validation::is_one_of(selection.text(), kSelections))
    errors.not_supported(path.child("selectPolicy"), selection.text(), kSelections);
  const Value& policies = rules["policies"];
  const bool has_none = policies.empty() || (sent["policies"].is_array() && sent["policies"].empty());
  if (has_none) errors.required(path.child("policies"), Text("must specify at least one Policy"));
  for (std::size_t i = 0; i < policies.size() && !has_none; ++i)
    check_policy(policies.at(i), path.child("policies").at(i), errors);
  const Value& tolerance = rules["tolerance"];
  if (const auto read = Quantity::parse(tolerance.text());
      !tolerance.is_null() && (!read || read->sign() < 0))
    errors.invalid(path.child("tolerance"), tolerance, Text("must be greater than or equal to 0"));
}

/// From one, or from zero if the stored object does so.
void check_replicas(const Change& change, const Path& path, Errors& errors) {
  const Value &least = change.spec()["minReplicas"], &most = change.spec()["maxReplicas"];
  const bool may_be_zero = change.old_spec()["minReplicas"].integer() == 0;
  const std::int64_t most_now = most.integer().value_or(0);
  const Path most_path = path.child("maxReplicas");
  if (!least.is_null() && least.integer().value_or(0) < (may_be_zero ? 0 : 1))
    errors.invalid(path.child("minReplicas"), least,
                   may_be_zero ? Text("must be greater than or equal to 0")
                               : Text("must be greater than or equal to 1"));
  if (most_now < 1 && change.minor < kGroupAsked)
    errors.invalid(most_path, most, Text("must be greater than 0"));
  else if (most_now == 0)
    errors.required(most_path, Text("must be set and greater than 0"));
  else if (most_now < 0)
    errors.invalid(most_path, most, Text("must be greater than or equal to 1"));
  if (!least.is_null() && most_now < least.integer().value_or(0))
    errors.invalid(most_path, most, Text("must be greater than or equal to `minReplicas`"));
}

VersionRule rule_of_target(const Change& change) {
  const Value &now = change.spec()["scaleTargetRef"], &old = change.old_spec()["scaleTargetRef"];
  const bool is_as_before = change.is_update() && now["apiVersion"].text() == old["apiVersion"].text() &&
                            now["kind"].text() == old["kind"].text();
  if (change.minor < kGroupAsked || is_as_before) return VersionRule::none;
  return now["kind"].text() == "ReplicationController" ? VersionRule::any : VersionRule::with_group;
}

/// The versions in metrics are not asked for if one is wrong in the store.
VersionRule rule_of_metrics(const Change& change) {
  if (change.minor < kGroupAsked) return VersionRule::none;
  const Value& metrics = change.old_spec()["metrics"];
  for (const Value& metric : metrics.elements()) {
    const std::string_view version = metric["object"]["describedObject"]["apiVersion"].text();
    if (metric["type"].text() == "Object" && !version_problem(version, VersionRule::any).empty())
      return VersionRule::none;
  }
  return VersionRule::any;
}

void check_spec_of_autoscaler(const Change& change, Errors& errors) {
  const Value& spec = change.spec();
  const Path path("spec");
  check_replicas(change, path, errors);
  check_reference(spec["scaleTargetRef"], rule_of_target(change), path.child("scaleTargetRef"), errors);
  check_metrics(spec, rule_of_metrics(change), path.child("metrics"), errors);
  for (const char* direction : {"scaleUp", "scaleDown"})
    check_scaling(spec["behavior"][direction], change.sent["spec"]["behavior"][direction],
                  path.child("behavior").child(direction), errors);
}

void check_status_of_autoscaler(const Change& change, Errors& errors) {
  check_not_negative(change.object["status"], {"currentReplicas", "desiredReplicas"}, Path("status"), errors);
}

}  // namespace

const TypedKind kAutoscalers{.type = kHorizontalPodAutoscaler,
                             .set_defaults = set_autoscaler_defaults,
                             .prepare = prepare_autoscaler,
                             .has_generation = false,
                             .check_name = check_subdomain,
                             .check_create = check_spec_of_autoscaler,
                             .check_update = check_spec_of_autoscaler,
                             .check_status = check_status_of_autoscaler};

}  // namespace fixpoint::apiserver::kinds
