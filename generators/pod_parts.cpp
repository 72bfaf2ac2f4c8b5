#include "generators/pod_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/pod/draw_pod.h"
#include "generators/pod/feature.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/runner/learning/field_path.h"

namespace fixpoint::generators {

namespace {

/// A part of a Pod, recognised by members of its schema that no other type has together.
struct PodPart {
  std::array<std::string_view, 3> members;
  std::string_view path;   ///< in a Pod
  std::string_view about;  ///< the member that a feature of the catalog gives the Pod; empty: none is needed
};
constexpr std::array<PodPart, 9> kPodParts{{
    {{"containers", "nodeSelector", "volumes"}, "spec", ""},
    {{"image", "livenessProbe", "volumeMounts"}, "spec.containers[0]", ""},
    {{"claims", "limits", "requests"}, "spec.containers[0].resources", "resources"},
    {{"exec", "httpGet", "periodSeconds"}, "spec.containers[0].livenessProbe", "livenessProbe"},
    {{"capabilities", "privileged", "runAsUser"}, "spec.containers[0].securityContext", "securityContext"},
    {{"fsGroup", "runAsUser", "supplementalGroups"}, "spec.securityContext", "securityContext"},
    {{"nodeAffinity", "podAffinity", "podAntiAffinity"}, "spec.affinity", "affinity"},
    {{"effect", "key", "tolerationSeconds"}, "spec.tolerations[0]", "tolerations"},
    {{"configMap", "emptyDir", "persistentVolumeClaim"}, "spec.volumes[0]", "volumes"},
}};

/// The number of Pods that are drawn until one has the part, and the part is valid alone.
constexpr int kTries = 16;

bool is_schema_of(const PodPart& part, const Value& properties) {
  return std::all_of(part.members.begin(), part.members.end(),
                     [&](std::string_view member) { return properties[member].is_object(); });
}

/// Removes the members that the schema lacks, as a server does before it stores the object.
void prune(Value& value, const Value& schema) {
  if (schema["x-kubernetes-preserve-unknown-fields"].is_true()) return;
  for (std::size_t i = 0; i < value.elements().size(); ++i) prune(value.edit(i), schema["items"]);
  if (!value.is_object() || !schema["properties"].is_object()) return;
  std::vector<std::string> names;
  for (const auto& member : value.members()) names.emplace_back(member.key.text());
  for (const std::string& name : names) {
    const Value& property = schema["properties"][name];
    if (property.is_null())
      value.remove(name);
    else
      prune(value.edit(name), property);
  }
}

/// Returns true if the API server accepts the part in a Pod that has nothing else.
bool is_valid_alone(const runner::FieldPath& path, const Value& part) {
  Value pod{{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata", {{"name", "a"}}},
            {"spec", {{"containers", Value::list({{{"name", "a"}, {"image", "a"}}})}}}};
  runner::set_field(pod, path, part);
  const auto errors = apiserver::errors_of_request("create", pod, {}, apiserver::kNewestMinor);
  return errors && errors->empty();
}

Value draw_pod_with(Choices& choices, std::string_view member) {
  const std::vector<const PreparedVocabulary*> vocabularies{&neutral_vocabulary()};
  PodBuilder builder{.c = choices, .vocabularies = vocabularies};
  draw_into(builder);
  const auto features = features_about(member);
  if (!features.empty()) put(*choices.pick(features), builder);
  return pod_of(builder);
}

}  // namespace

std::optional<Value> draw_pod_part(Choices& choices, const Value& schema) {
  const Value& properties = schema["properties"];
  if (!properties.is_object()) return std::nullopt;
  const auto* part = std::find_if(kPodParts.begin(), kPodParts.end(),
                                  [&](const PodPart& one) { return is_schema_of(one, properties); });
  if (part == kPodParts.end()) return std::nullopt;
  const auto path = runner::parse_field_path(std::string(part->path));
  if (!path) return std::nullopt;
  for (int i = 0; i < kTries; ++i) {
    const auto found = runner::values_at(draw_pod_with(choices, part->about), *path);
    if (found.empty()) continue;
    Value drawn = found.front();
    prune(drawn, schema);
    for (const char* member : {"volumeMounts", "volumeDevices"}) drawn.remove(member);
    if (is_valid_alone(*path, drawn)) return drawn;
  }
  return std::nullopt;
}

}  // namespace fixpoint::generators
