#include "injectors/kserve/hpa/hpa_parts.h"

namespace fixpoint::injectors::kserve::hpa {

namespace {

using reconcile::Reconciled;
using reconcile::Request;

/// Returns one trigger of a listed metric; nothing if reading it crashes (getKedaMetrics). A metric that is
/// not a resource is returned unchanged, so that different metrics give different triggers.
///
/// Release 0.15.0 prints the address of a utilization instead of the number. Here it is one behind the
/// address in the stored object: another one each time, as in the release.
std::optional<Value> trigger(const Release& release, const Value& metric, const Value& stored) {
  const std::string_view type = metric["type"].text();
  const Value& source = metric[type == "Resource"   ? "resource"
                               : type == "External" ? "external"
                                                    : "podmetric"];
  if (source.is_null()) return std::nullopt;
  const Value& target = source["target"];
  if (type != "Resource") {
    if (target["value"].is_null()) return std::nullopt;
    return source;
  }
  const std::string_view kind = target["type"].text();
  Value value("0");
  if (kind == "Utilization" && release.keda == Keda::addresses) {
    constexpr std::int64_t kFirstAddress = 824634330656, kSizeOfNumber = 8;
    if (!target["averageUtilization"].is_null()) {
      const auto before = Value::number(stored["metadata"]["value"].text()).integer();
      value = std::to_string(before ? *before + kSizeOfNumber : kFirstAddress);
    }
  } else if (kind == "Utilization") {
    if (!target["averageUtilization"].is_null())
      value = target["averageUtilization"].text();
    else if (source["name"].text() == "cpu")
      value = "80";
  }
  if (kind == "AverageValue" && !target["averageValue"].is_null()) value = target["averageValue"];
  if (kind == "Value" && !target["value"].is_null()) value = target["value"];
  return Value{{"type", source["name"]}, {"metadata", {{"value", value}}}, {"metricType", target["type"]}};
}

/// Returns the wanted ScaledObject (createKedaScaledObject); nothing if building it crashes.
std::optional<Value> wanted_scaled_object(const Release& release, const Value& desired, const Value& stored) {
  const Value& component = desired["spec"];
  if (component.is_null() && release.needs_spec) return std::nullopt;
  const std::int64_t low = number(component, "minReplicas").value_or(1);
  const std::int64_t high = std::max(low, number(component, "maxReplicas").value_or(0));
  Value spec{
      {"scaleTargetRef", {{"name", desired["name"]}}}, {"minReplicaCount", low}, {"maxReplicaCount", high}};
  std::vector<Value> triggers;
  for (const Value& metric : component["autoScaling"]["metrics"].elements()) {
    const std::string_view type = metric["type"].text();
    if (type != "Resource" && type != "External" && type != "PodMetric") continue;
    auto made = trigger(release, metric, stored["spec"]["triggers"].at(triggers.size()));
    if (!made) return std::nullopt;
    triggers.push_back(*std::move(made));
  }
  spec.set("triggers", std::move(triggers));
  return Value{{"apiVersion", "keda.sh/v1alpha1"},
               {"kind", "ScaledObject"},
               {"metadata", owned_metadata(desired)},
               {"spec", std::move(spec)}};
}

}  // namespace

Reconciled reconcile_scaled_object(const Release& release, const reconcile::Objects& stored,
                                   const Value& desired) {
  const Value* existing = stored.find("ScaledObject", desired["namespace"].text(), desired["name"].text());
  const auto object = wanted_scaled_object(release, desired, existing == nullptr ? Value() : *existing);
  if (!object) return {.crashed = true};
  if (release.keda == Keda::stopped && is_stopped(*object)) {
    if (existing == nullptr || !(*existing)["metadata"]["deletionTimestamp"].is_null()) return {};
    return {.requests = {{Request::Verb::remove, *existing}}};
  }
  if (existing == nullptr) return {.requests = {{Request::Verb::create, *object}}};
  Reconciled trial{.requests = {{.verb = Request::Verb::update, .object = *object, .dry_run = true}}};
  if (!is_same_spec((*object)["spec"], (*existing)["spec"]))
    trial.requests.push_back({Request::Verb::update, *object});
  return trial;
}

}  // namespace fixpoint::injectors::kserve::hpa
