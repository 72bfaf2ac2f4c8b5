#include <algorithm>
#include <cctype>
#include <string>

#include "injectors/kserve/autoscaler/autoscaler_steps.h"
#include "injectors/kserve/autoscaler/component.h"
#include "injectors/kserve/hpa/hpa.h"
#include "injectors/kserve/hpa/hpa_parts.h"

namespace fixpoint::injectors::kserve::hpa {

namespace {

using autoscaler::kClassAnnotation;
using reconcile::Objects;
using reconcile::Reconciled;
using reconcile::Request;

/// Returns the wanted autoscaler (createHPA); nothing if building it crashes.
std::optional<Value> wanted(const Release& release, const Value& desired) {
  const Value& component = desired["spec"];
  if (component.is_null() && release.needs_spec) return std::nullopt;
  auto listed = metrics(release, desired);
  if (!listed) return std::nullopt;
  const std::int64_t low = std::max<std::int64_t>(number(component, "minReplicas").value_or(1), 1);
  const std::int64_t high = std::max(number(component, "maxReplicas").value_or(0), low);
  Value spec{
      {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", desired["name"]}}},
      {"minReplicas", low},
      {"maxReplicas", high}};
  if (!listed->empty()) spec.set("metrics", *std::move(listed));
  spec.set("behavior", Value::empty_object());
  return Value{{"apiVersion", "autoscaling/v2"},
               {"kind", "HorizontalPodAutoscaler"},
               {"metadata", owned_metadata(desired)},
               {"spec", std::move(spec)}};
}

/// Returns true if any InferenceService is among the owners (shouldDeleteHPA).
bool has_inference_service(const Value& object) {
  const auto owners = object["metadata"]["ownerReferences"].elements();
  return std::any_of(owners.begin(), owners.end(), [](const Value& owner) {
    return owner["apiVersion"].text().starts_with("serving.kserve.io") &&
           owner["kind"].text() == "InferenceService";
  });
}

bool has_same_class(const Value& a, const Value& b) {
  const Value* one = a["metadata"]["annotations"].find(kClassAnnotation);
  const Value* other = b["metadata"]["annotations"].find(kClassAnnotation);
  if (one == nullptr || other == nullptr) return one == other;
  return *one == *other;
}

enum class Comparison : std::uint8_t { same, different, crash };

/// Compares as the release's semanticHPAEquals does.
Comparison compare(const Release& release, const Value& object, const Value& existing) {
  const Value &spec = object["spec"], &stored = existing["spec"];
  if (release.equality == Equality::metrics_and_bounds) {
    const Value mine{{"metrics", spec["metrics"]}}, theirs{{"metrics", stored["metrics"]}};
    if (!is_same_spec(mine, theirs)) return Comparison::different;
    if (number(spec, "maxReplicas").value_or(0) != number(stored, "maxReplicas").value_or(0))
      return Comparison::different;
    if (stored["minReplicas"].is_null()) return Comparison::crash;
    return number(spec, "minReplicas") == number(stored, "minReplicas") ? Comparison::same
                                                                        : Comparison::different;
  }
  const bool same_class = release.equality == Equality::spec || has_same_class(object, existing);
  return same_class && is_same_spec(spec, stored) ? Comparison::same : Comparison::different;
}

/// Returns true if the release deletes this stored autoscaler.
bool is_to_go(const Release& release, std::string_view name, const Value& existing) {
  const bool is_handed_over =
      name == "external" || (name == "none" && release.removal != Removal::whoever_owns_it);
  switch (release.removal) {
    case Removal::never:
      return false;
    case Removal::whoever_owns_it:
      return is_handed_over;
    case Removal::if_owned:
      return is_handed_over && has_inference_service(existing);
    case Removal::owned_first:
      return has_inference_service(existing) && (is_stopped(existing) || is_handed_over);
  }
  return false;
}

Reconciled reconcile_autoscaler(const Release& release, const Objects& stored, const Value& desired,
                                std::string_view name) {
  auto object = wanted(release, desired);
  if (!object) return {.crashed = true};
  const Value* existing =
      stored.find("HorizontalPodAutoscaler", desired["namespace"].text(), desired["name"].text());
  if (existing == nullptr) {
    const bool skips = name != "hpa" || (release.removal == Removal::owned_first && is_stopped(*object));
    if (skips) return {};
    return {.requests = {{Request::Verb::create, *std::move(object)}}};
  }
  const Reconciled removal{.requests = {{Request::Verb::remove, *existing}}};
  const bool goes = is_to_go(release, name, *existing);
  if (goes && release.removal == Removal::owned_first) return removal;
  const Comparison compared = compare(release, *object, *existing);
  if (compared == Comparison::crash) return {.crashed = true};
  if (compared == Comparison::same) return {};
  if (goes) return removal;
  return {.requests = {{Request::Verb::update, *std::move(object)}}};
}

Role role_of(const Release& release, std::string_view name) {
  if (name == "hpa") return Role::reconciled;
  if (name == "external") return release.external;
  return name == "none" ? release.none : Role::refused;
}

Reconciled reconcile(const Release& release, const Objects& stored, const Value& desired) {
  const std::string_view name = autoscaler::class_of(desired);
  if (name == "keda" && release.keda != Keda::refused)
    return reconcile_scaled_object(release, stored, desired);
  switch (role_of(release, name)) {
    case Role::left_alone:
      return {};
    case Role::reconciled:
      return reconcile_autoscaler(release, stored, desired, name);
    case Role::refused:
      break;
  }
  return {.error = "unknown autoscaler class type: " + std::string(name)};
}

bool is_nothing(const Value& value) { return value.is_null() || (value.is_array() && value.empty()); }

bool has_nothings(const Value& value) {
  for (const Value& element : value.elements()) {
    if (has_nothings(element)) return true;
  }
  for (const document::Member& member : value.members()) {
    if (is_nothing(member.value) || has_nothings(member.value)) return true;
  }
  return false;
}

/// Returns the value without null members and empty lists.
Value without_nothings(const Value& value) {
  if (!has_nothings(value)) return value;
  Value out = value;
  if (value.is_array()) {
    for (Value& element : out.edit_elements()) element = without_nothings(element);
    return out;
  }
  auto& members = out.edit_members();
  erase_if(members, [](const document::Member& member) { return is_nothing(member.value); });
  for (document::Member& member : members) member.value = without_nothings(member.value);
  return out;
}

}  // namespace

bool is_same_spec(const Value& a, const Value& b) {
  return a == b || without_nothings(a) == without_nothings(b);
}

bool is_stopped(const Value& object) {
  const std::string_view text = object["metadata"]["annotations"][autoscaler::kStopAnnotation].text();
  constexpr std::string_view kTrue = "true";
  return std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

Value owned_metadata(const Value& desired) {
  Value metadata{{"name", desired["name"]}, {"namespace", desired["namespace"]}};
  for (const char* map : {"labels", "annotations"}) {
    if (!desired[map].empty()) metadata.set(map, desired[map]);
  }
  metadata.set("ownerReferences", Value::list({{{"apiVersion", "serving.kserve.io/v1beta1"},
                                                {"kind", "InferenceService"},
                                                {"name", autoscaler::kOwnerName},
                                                {"uid", autoscaler::kOwnerUid},
                                                {"controller", true},
                                                {"blockOwnerDeletion", true}}}));
  return metadata;
}

reconcile::Reconciler reconciler(std::string_view name) {
  const auto release =
      std::find_if(kRows.begin(), kRows.end(), [&](const Release& row) { return row.name == name; });
  document::check(release != kRows.end(), "a release of kserve/hpa");
  return {.reconcile = [release](const Objects& stored,
                                 const Value& desired) { return reconcile(*release, stored, desired); },
          .steps = autoscaler::autoscaler_steps()};
}

}  // namespace fixpoint::injectors::kserve::hpa
