#pragma once

#include "harness/document/value.h"

namespace fixpoint::cases {

/// Returns true if two objects cannot be in one cluster: they have the same kind, namespace and name.
inline bool have_same_name(const document::Value& a, const document::Value& b) {
  return a["kind"] == b["kind"] && a["metadata"]["name"] == b["metadata"]["name"] &&
         a["metadata"]["namespace"].text() == b["metadata"]["namespace"].text();
}

}  // namespace fixpoint::cases
