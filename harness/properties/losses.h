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
  const char* because = "";                 ///< "is gone", "has another value"
  bool is_gone = false;
  bool is_identity = false;  ///< it tells the element from its siblings: another value is another element
  bool is_widened = false;   ///< alternatives to the user's own were added to his
};

/// Everything that stands in a Pod before a call and not after it, in the order of the API's types. Elements
/// are found again by their key, those without one by their value. Without field tracking.
std::vector<Loss> losses_between(const Value& before, const Value& after);

}  // namespace fixpoint::properties
