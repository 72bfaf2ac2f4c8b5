#pragma once

#include <algorithm>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

// Lists of objects whose fields have no table: custom resources, and most kinds of Kubernetes.
namespace fixpoint::properties {

/// Returns true if the elements of a list are told apart by their names: each is an object with one, and no
/// two have the same.
inline bool has_named_elements(const document::Value& list) {
  const auto elements = list.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const document::Value& name = elements[i]["name"];
    const auto has_name = [&](const document::Value& other) { return other["name"] == name; };
    if (!name.is_string() || name.text().empty() ||
        std::any_of(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(i), has_name))
      return false;
  }
  return !elements.empty();
}

/// The field that a list of such elements is, and one of any other value.
inline const apiserver::Field& named_elements() {
  static constexpr apiserver::ListKey kKeys[] = {{.members = {"name", ""}}};
  static constexpr apiserver::Field kField{.name = document::Name(""),
                                           .shape = apiserver::Shape::raw,
                                           .many = apiserver::Many::list,
                                           .keys = kKeys};
  return kField;
}
inline const apiserver::Field& untyped_value() {
  static constexpr apiserver::Field kField{.name = document::Name(""), .shape = apiserver::Shape::raw};
  return kField;
}

}  // namespace fixpoint::properties
