#include "harness/apiserver/decoding/other_kinds.h"

#include <algorithm>
#include <string_view>

#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

namespace {

using document::Member;
using document::Value;

/// The members of a kind beside apiVersion, kind and metadata.
struct OtherKind {
  std::string_view kind;
  std::vector<std::string_view> members;
  bool has_metadata = true;
};
const OtherKind kOtherKinds[] = {
    {"APIGroup", {"name", "versions", "preferredVersion", "serverAddressByClientCIDRs"}, false},
    {"APIGroupList", {"groups"}, false},
    {"APIResourceList", {"groupVersion", "resources"}, false},
    {"APIVersions", {"versions", "serverAddressByClientCIDRs"}, false},
    {"Binding", {"target"}},
    {"ComponentStatus", {"conditions"}},
    {"ConfigMap", {"data", "binaryData", "immutable"}},
    {"Endpoints", {"subsets"}},
    {"Event",
     {"involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type",
      "eventTime", "series", "action", "related", "reportingComponent", "reportingInstance"}},
    {"LimitRange", {"spec"}},
    {"MutatingAdmissionPolicy", {"spec"}},
    {"MutatingAdmissionPolicyBinding", {"spec"}},
    {"MutatingWebhookConfiguration", {"webhooks"}},
    {"Namespace", {"spec", "status"}},
    {"Node", {"spec", "status"}},
    {"PersistentVolume", {"spec", "status"}},
    {"PersistentVolumeClaim", {"spec", "status"}},
    {"PodStatusResult", {"status"}},
    {"PodTemplate", {"template"}},
    {"PriorityClass", {"value", "globalDefault", "description", "preemptionPolicy"}},
    {"RangeAllocation", {"range", "data"}},
    {"ReplicationController", {"spec", "status"}},
    {"ResourceQuota", {"spec", "status"}},
    {"RuntimeClass", {"handler", "overhead", "scheduling"}},
    {"Secret", {"data", "stringData", "type", "immutable"}},
    {"SerializedReference", {"reference"}, false},
    {"Service", {"spec", "status"}},
    {"ServiceAccount", {"secrets", "imagePullSecrets", "automountServiceAccountToken"}},
    {"ValidatingAdmissionPolicy", {"spec", "status"}},
    {"ValidatingAdmissionPolicyBinding", {"spec"}},
    {"ValidatingWebhookConfiguration", {"webhooks"}},
};

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns true for a member of a Pod's spec that the spec of the other kind has, too.
bool is_in_spec_of(std::string_view kind, std::string_view member) {
  return kind == "PersistentVolumeClaim" && member == "resources";
}

/// Returns true for a member of a Pod's spec, which other kinds do not have.
bool is_of_pod_spec(const document::Key& member, int minor) {
  return find_field(*find_field(kPod, document::Name("spec"), minor)->type, member.name(), minor) != nullptr;
}

std::string unknown(const std::string& path) { return "unknown field \"" + path + "\""; }

/// Adds the members that the object below `path` has and may not have.
template <class IsKnown>
void note_unknown(const Value& object, const std::string& path, const IsKnown& is_known,
                  std::vector<std::string>& problems) {
  for (const Member& member : object.members())
    if (!is_known(member.key)) problems.push_back(unknown(path + std::string(member.key.text())));
}

}  // namespace

std::vector<std::string> strict_problems_of_other_kind(const Value& sent, int minor) {
  const std::string_view kind = sent["kind"].text();
  const auto* row = std::find_if(std::begin(kOtherKinds), std::end(kOtherKinds),
                                 [&](const OtherKind& one) { return one.kind == kind; });
  const bool is_row = row != std::end(kOtherKinds);
  const bool is_list = !is_row && kind.ends_with("List");
  const bool has_metadata = is_row ? row->has_metadata : is_list;
  static const std::vector<std::string_view> kOfLists{"items"}, kNone;
  const auto& members = is_row ? row->members : is_list ? kOfLists : kNone;
  static const std::vector<std::string_view> kListMeta{"selfLink", "resourceVersion", "continue",
                                                       "remainingItemCount"};
  std::vector<std::string> problems;
  for (const Member& member : sent.members()) {
    const std::string_view name = member.key.text();
    const bool is_type = name == "apiVersion" || name == "kind";
    if (!(is_type ? kind != "WatchEvent" : name == "metadata" ? has_metadata : contains(members, name)))
      problems.push_back(unknown(std::string(name)));
    else if (name == "metadata" && is_list)
      note_unknown(
          member.value, "metadata.", [](const auto& one) { return contains(kListMeta, one.text()); },
          problems);
    else if (name == "spec" || name == "template")
      note_unknown(
          member.value, std::string(name) + ".",
          [&](const auto& one) { return !is_of_pod_spec(one, minor) || is_in_spec_of(kind, one.text()); },
          problems);
  }
  return problems;
}

}  // namespace fixpoint::apiserver
