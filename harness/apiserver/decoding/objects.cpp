#include "harness/apiserver/decoding/objects.h"

#include <algorithm>
#include <string_view>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/list_types.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

namespace {

/// The patch library sorts the members of the objects it changed bytewise; of several members that name the
/// kind in different cases the last one wins. Without such members the order does not matter.
document::Value as_written(const document::Value& patched, const Type& type) {
  const auto members = patched.members();
  const bool is_plain = std::all_of(members.begin(), members.end(), [&](const auto& member) {
    return find_field(type, member.key.name(), kNewestMinor) != nullptr;
  });
  if (is_plain) return patched;
  document::Value sorted = patched;
  std::stable_sort(sorted.edit_members().begin(), sorted.edit_members().end(),
                   [](const auto& a, const auto& b) { return a.key.text() < b.key.text(); });
  return sorted;
}

/// Decodes an object of another kind than was expected. Of most kinds only the metadata are known here.
document::Result<document::Value> decode_other(std::string_view kind, const document::Value& written,
                                               int minor) {
  if (kind == "Status") return decode_as(kStatus, written, minor);
  if (kind == "Pod") return decode_as(kPod, written, minor);
  if (kind == "PodList") return decode_as(kPodList, written, minor);
  if (!kind.ends_with("List")) {
    auto decoded = decode_as(kAnyObject, written, minor);
    return decoded ? written : std::move(decoded);
  }
  auto list = decode_as(kObjectList, written, minor);
  if (!list || kind == "List") return list;
  for (const document::Value& item : (*list)["items"].elements()) {
    if (auto decoded = decode_as(kAnyObject, item, minor); !decoded) return decoded;
  }
  return list;
}

}  // namespace

document::Result<document::Value> decode_object_of(const cases::Kind& kind, const Type& type,
                                                   const document::Value& patched, int minor) {
  const document::Value written = as_written(patched, type);
  if (kind_of(written, kind) == ObjectKind::registered)
    return decode_other(written["kind"].text(), written, minor);
  return decode_kind(kind, type, written, minor);
}

document::Result<document::Value> decode_object(const document::Value& patched, int minor) {
  return decode_object_of(cases::pod_kind(), kPod, patched, minor);
}

bool has_object_metadata(const document::Value& object) {
  constexpr std::string_view kWithout[] = {"Status",     "APIGroup", "APIVersions",
                                           "WatchEvent", "List",     "SerializedReference"};
  const std::string_view kind = object["kind"].text();
  const bool is_named = std::find(std::begin(kWithout), std::end(kWithout), kind) != std::end(kWithout);
  return !is_named && !kind.ends_with("List") && !kind.ends_with("Options");
}

bool is_pod(const document::Value& object) { return kind_of(object) == ObjectKind::expected; }

}  // namespace fixpoint::apiserver
