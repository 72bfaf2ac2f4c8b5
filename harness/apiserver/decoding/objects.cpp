#include "harness/apiserver/decoding/objects.h"

#include <algorithm>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

namespace {

/// The patch library sorts the members of the objects it changed bytewise; of several members that name the
/// kind in different cases the last one wins. Without such members the order does not matter.
document::Value as_written(const document::Value& patched) {
  const auto members = patched.members();
  const bool is_plain = std::all_of(members.begin(), members.end(), [](const auto& member) {
    return find_field(kPod, member.key.name(), kNewestMinor) != nullptr;
  });
  if (is_plain) return patched;
  document::Value sorted = patched;
  std::stable_sort(sorted.edit_members().begin(), sorted.edit_members().end(),
                   [](const auto& a, const auto& b) { return a.key.text() < b.key.text(); });
  return sorted;
}

}  // namespace

document::Result<document::Value> decode_object(const document::Value& patched, int minor) {
  const document::Value written = as_written(patched);
  if (kind_of(written) == ObjectKind::registered) return patched;
  return decode_pod(written, minor);
}

bool is_pod(const document::Value& object) { return kind_of(object) == ObjectKind::pod; }

}  // namespace fixpoint::apiserver
