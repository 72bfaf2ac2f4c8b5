#include "corpus/seed_pod.h"

#include <algorithm>
#include <array>

namespace fixpoint::corpus {

namespace {

using document::Value;

constexpr std::string_view kTokenVolume = "kube-api-access-";
constexpr std::array<const char*, 3> kContainerLists{"containers", "initContainers", "ephemeralContainers"};
constexpr std::array<const char*, 7> kOfTheServer{
    "uid",           "resourceVersion", "creationTimestamp", "generation",
    "managedFields", "selfLink",        "ownerReferences"};
/// Fields that the scheduler and the admission plugins Priority and ServiceAccount write.
constexpr std::array<const char*, 4> kOfPlugins{"nodeName", "priority", "preemptionPolicy", "serviceAccount"};

void remove(Value& object, const char* member) {
  if (object.find(member) != nullptr) object.remove(member);
}

/// Removes the elements for which `is_gone` returns true, and the list if it is then empty.
template <class Predicate>
void thin(Value& object, const char* list, const Predicate& is_gone) {
  if (!object[list].is_array()) return;
  auto& elements = object.edit(list).edit_elements();
  const auto before = elements.size();
  erase_if(elements, is_gone);
  if (elements.empty() && before > 0) object.remove(list);
}

bool is_token(const Value& element) { return element["name"].text().starts_with(kTokenVolume); }
bool is_of_every_pod(const Value& toleration) {
  const std::string_view key = toleration["key"].text();
  return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
         toleration["tolerationSeconds"].integer() == 300;
}

}  // namespace

Value as_sent(Value pod) {
  remove(pod, "status");
  if (pod["metadata"].is_object()) {
    Value& metadata = pod.edit("metadata");
    for (const char* member : kOfTheServer) remove(metadata, member);
    if (!metadata["generateName"].text().empty()) remove(metadata, "name");
    if (metadata["annotations"].is_object()) {
      remove(metadata.edit("annotations"), "kubectl.kubernetes.io/last-applied-configuration");
      if (metadata["annotations"].empty()) metadata.remove("annotations");
    }
  }
  if (!pod["spec"].is_object()) return pod;
  Value& spec = pod.edit("spec");
  for (const char* member : kOfPlugins) remove(spec, member);
  if (spec["serviceAccountName"].text() == "default") spec.remove("serviceAccountName");
  thin(spec, "volumes", is_token);
  thin(spec, "tolerations", is_of_every_pod);
  for (const char* list : kContainerLists) {
    if (!spec[list].is_array()) continue;
    for (Value& container : spec.edit(list).edit_elements()) {
      if (container.is_object()) thin(container, "volumeMounts", is_token);
    }
  }
  return pod;
}

std::optional<document::Error> for_each_object(
    const Value& document, const std::function<std::optional<document::Error>(const Value& object)>& take) {
  if (!document["kind"].text().ends_with("List")) return take(document);
  for (const Value& item : document["items"].elements()) {
    if (auto problem = for_each_object(item, take)) return problem;
  }
  return std::nullopt;
}

}  // namespace fixpoint::corpus
