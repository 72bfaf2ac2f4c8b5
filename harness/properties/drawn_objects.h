#pragma once

#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::properties {

/// The annotation of an object of the cluster that a generator has added, so that a user can tell it from an
/// object of the user's own.
inline constexpr std::string_view kDrawnAnnotation = "fixpoint.example.io/drawn";

/// Returns true if a generator has added the object, or what judges Pods in it.
inline bool is_drawn(const document::Value& object) {
  return object["metadata"]["annotations"].find(kDrawnAnnotation) != nullptr;
}

}  // namespace fixpoint::properties
