#include "harness/apiserver/decoding/kinds.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "harness/cases/kind.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Text;

/// Kinds that every group version knows: request options and watch events.
constexpr std::string_view kEverywhere[] = {"CreateOptions", "DeleteOptions", "GetOptions", "ListOptions",
                                            "PatchOptions",  "UpdateOptions", "WatchEvent"};

/// Kinds of the core group that no resource serves, and kinds of lists of such.
constexpr std::string_view kCoreOnly[] = {
    "APIGroup",          "APIGroupList",        "APIResourceList",     "APIVersions",
    "List",              "NodeProxyOptions",    "PodAttachOptions",    "PodExecOptions",
    "PodLogOptions",     "PodPortForwardOptions", "PodProxyOptions",   "PodStatusResult",
    "RangeAllocation",   "SerializedReference", "ServiceProxyOptions", "Status"};

/// Versions that the scheme knows beside those that are served, with the same kinds.
struct OlderVersion {
  std::string_view group, version, served;
};
constexpr OlderVersion kOlderVersions[] = {{"admissionregistration.k8s.io", "v1beta1", "v1"},
                                           {"node.k8s.io", "v1beta1", "v1"},
                                           {"scheduling.k8s.io", "v1beta1", "v1"}};

/// Compares without case, as Go's encoding/json folds it: beyond ASCII, only long s and the Kelvin sign fold
/// to a letter of our members.
bool folds_to(std::string_view name, std::string_view lower) {
  constexpr std::string_view kLongS = "\xC5\xBF", kKelvin = "\xE2\x84\xAA";
  for (const char c : lower) {
    const std::string_view other = c == 's' ? kLongS : c == 'k' ? kKelvin : std::string_view();
    if (!other.empty() && name.starts_with(other)) {
      name.remove_prefix(other.size());
    } else if (!name.empty() && (name[0] == c || (name[0] >= 'A' && name[0] <= 'Z' && name[0] + 32 == c))) {
      name.remove_prefix(1);
    } else {
      return false;
    }
  }
  return name.empty();
}

/// apiVersion or kind as the scheme finds it: in any case, the last one that is not null; empty for a value
/// of another type.
std::optional<std::string_view> type_text(const document::Value& object, std::string_view lower) {
  std::string_view text;
  for (const auto& member : object.members()) {
    if (member.key.text().size() < lower.size() || !folds_to(member.key.text(), lower)) continue;
    if (member.value.is_string())
      text = member.value.text();
    else if (!member.value.is_null())
      return std::nullopt;
  }
  return text;
}

/// Returns true if the scheme has the kind: its objects, their lists, or the options of requests.
bool is_registered(std::string_view group, std::string_view version, std::string_view kind) {
  for (const OlderVersion& older : kOlderVersions) {
    if (older.group == group && older.version == version) version = older.served;
  }
  const auto has = [&](std::span<const std::string_view> list) {
    return std::find(list.begin(), list.end(), kind) != list.end();
  };
  const auto kinds = cases::built_in_kinds();
  const std::string_view item = kind.ends_with("List") ? kind.substr(0, kind.size() - 4) : kind;
  bool knows_version = false;
  for (const cases::Kind& one : kinds) {
    if (one.group != group || one.version != version) continue;
    knows_version = true;
    if (one.name == kind || (one.name == item && !one.is_only_created)) return true;
  }
  return knows_version && (has(kEverywhere) || (group.empty() && has(kCoreOnly)));
}

/// Returns true for a Pod in its usual form, with no other member that could name its type.
bool is_plain_pod(const document::Value& object) {
  const auto members = object.members();
  if (members.size() < 2) return false;
  const std::size_t kind = members[0].key.is("kind") ? 0 : 1, version = 1 - kind;
  if (!members[kind].key.is("kind") || !members[version].key.is("apiVersion")) return false;
  if (members[kind].value.text() != "Pod" || members[version].value.text() != "v1") return false;
  return std::all_of(members.begin() + 2, members.end(), [](const document::Member& member) {
    return member.key.is("metadata") || member.key.is("spec") || member.key.is("status");
  });
}

/// The line of the scheme's source, which its name is made of.
struct SchemeLine {
  int last_minor;
  std::string_view line;
};
constexpr SchemeLine kSchemeLines[] = {{32, "100"}, {34, "110"}, {99, "111"}};

}  // namespace

std::string unregistered_kind(std::string_view kind, std::string_view version, int minor) {
  const auto* row = std::find_if(std::begin(kSchemeLines), std::end(kSchemeLines),
                                 [&](const SchemeLine& one) { return minor <= one.last_minor; });
  return Text("no kind {} is registered for version {} in scheme \"pkg/runtime/scheme.go:{}\"")
      .with({document::go_quoted(kind), document::go_quoted(version), row->line});
}

std::string kind_refusal(const document::Value& object, int minor, const cases::Kind& expected) {
  if (!object.is_object()) {
    return Text(
               "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type "
               "{}")
        .with({document::go_kind(object), document::kGoKindStruct});
  }
  for (const auto& member : object.members()) {
    const bool is_kind = folds_to(member.key.text(), "kind");
    if (!is_kind && !folds_to(member.key.text(), "apiversion")) continue;
    if (member.value.is_string() || member.value.is_null()) continue;
    return Text(
               "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go struct field "
               ".{} of type string")
        .with({document::go_kind(member.value), is_kind ? "kind" : "apiVersion"});
  }
  const std::string own_version = expected.api_version();
  std::string_view version = *type_text(object, "apiversion"), kind = *type_text(object, "kind");
  if (version.empty()) version = own_version;
  if (kind.empty()) kind = expected.name;
  if (std::count(version.begin(), version.end(), '/') > 1) {
    return Text("unexpected GroupVersion string: {}").with({version});
  }
  return unregistered_kind(kind, version, minor);
}

ObjectKind kind_of(const document::Value& object, const cases::Kind& expected) {
  if (expected.is_pod() && is_plain_pod(object)) return ObjectKind::expected;
  if (!object.is_object() && !object.is_null()) return ObjectKind::malformed;
  const auto api_version = type_text(object, "apiversion");
  const auto kind_text = type_text(object, "kind");
  if (!api_version || !kind_text) return ObjectKind::malformed;

  std::string_view kind = *kind_text, version = *api_version, group;
  if (kind.empty()) kind = expected.name;
  if (std::count(version.begin(), version.end(), '/') > 1) return ObjectKind::malformed;
  if (const auto slash = version.find('/'); slash != std::string_view::npos) {
    group = version.substr(0, slash);
    version.remove_prefix(slash + 1);
  }
  if (version.empty() && group.empty()) version = expected.version, group = expected.group;
  if (group == expected.group && version == expected.version && kind == expected.name)
    return ObjectKind::expected;
  return is_registered(group, version, kind) ? ObjectKind::registered : ObjectKind::unregistered;
}

}  // namespace fixpoint::apiserver
