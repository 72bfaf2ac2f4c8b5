#pragma once

#include <algorithm>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

// Values of objects whose fields have no table: custom resources, and most kinds of Kubernetes.
namespace fixpoint::properties {

/// Returns true if the elements of a list are distinguished by their names: each is an object with one, and
/// no two have the same.
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

inline bool is_scalar(const document::Value& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}
/// Returns true for a text, a list or a map without contents, as `if not value` asks in most languages.
inline bool is_without_contents(const document::Value& value) {
  return value.is_string() ? value.text().empty() : (value.is_array() || value.is_object()) && value.empty();
}
/// Returns true for 0 and false.
inline bool is_zero_or_false(const document::Value& value) {
  const auto number = value.real();
  return (value.is_number() && number && *number == 0) || (value.is_boolean() && !value.is_true());
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
