#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/properties/place.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

/// One thing of a Pod that a call removed or changed.
struct Loss {
  std::string path;  ///< with indices: spec.containers[0].image
  Place place;
  const apiserver::Field* field = nullptr;  ///< of the value; of a map or a list, of what it holds
  const char* reason = "";                  ///< "is gone", "has another value"
  Value now = {};                           ///< the other value, of the element that was matched
  bool is_gone = false;
  bool is_identity = false;  ///< the value identifies its element: another value is another element
  bool is_widened = false;   ///< alternatives were added to those of the user
  /// Some of the user's alternatives, the terms of a node selector, got a requirement more and some did not:
  /// nothing is lost, and the requirement does not bind.
  bool is_partial = false;
};

/// Returns everything that a Pod has before a call and lacks after it, in the order of the API's types.
/// Elements are matched by their keys, those without a key by their values. Field tracking is left out.
std::vector<Loss> losses_between(const Value& before, const Value& after);

}  // namespace fixpoint::properties
