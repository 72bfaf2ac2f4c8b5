#include "harness/apiserver/objects.h"

#include "harness/apiserver/types/decode.h"
#include "harness/apiserver/types/kinds.h"

namespace fixpoint::apiserver {

document::Result<document::Value> decode_object(const document::Value& patched, int minor) {
  if (kind_of(patched) == ObjectKind::registered) return patched;
  return decode_pod(patched, minor);
}

bool is_pod(const document::Value& object) { return kind_of(object) == ObjectKind::pod; }

}  // namespace fixpoint::apiserver
