#pragma once

#include <algorithm>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Returns true if an element of the list has that name, as containers, volumes and variables have.
inline bool has_named(const Value& list, std::string_view name) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(),
                     [&](const Value& element) { return element["name"].text() == name; });
}

}  // namespace fixpoint::document
