#include "harness/apiserver/decoding/merge.h"

#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/types/quantity.h"

namespace fixpoint::apiserver {

namespace {

using document::Member;
using document::Value;

bool is_emptied_by_null(const Field& field) {
  if (field.is_pointer || field.many != Many::one) return true;
  return field.shape == Shape::quantity || field.shape == Shape::time;
}

/// At null a quantity forgets its amount, but not the text that it was read from, which it is written with if
/// that was canonical (Quantity.UnmarshalJSON in k8s.io/apimachinery/pkg/api/resource/quantity.go).
bool keeps_its_text(const Field& field, const Value& earlier) {
  if (field.shape != Shape::quantity || field.is_pointer || field.many != Many::one) return false;
  std::string buffer;
  return earlier.is_string() && canonical_quantity(earlier.text(), buffer) == earlier.text();
}

Value joined(const Value& earlier, const Value& later) {
  std::vector<Member> members(earlier.members().begin(), earlier.members().end());
  members.insert(members.end(), later.members().begin(), later.members().end());
  return members;
}

Value element_wise(const Field& field, const Value& earlier, const Value& later) {
  Field element = field;
  element.many = Many::one;
  element.is_pointer = false;
  std::vector<Value> elements(later.elements().begin(), later.elements().end());
  for (std::size_t i = 0; i < elements.size() && i < earlier.size(); ++i) {
    elements[i] = merge_members(element, earlier.at(i), elements[i]);
  }
  return elements;
}

}  // namespace

Value merge_members(const Field& field, const Value& earlier, const Value& later) {
  if (later.is_null()) {
    if (keeps_its_text(field, earlier)) return earlier;
    if (is_emptied_by_null(field)) return {};
    return field.shape == Shape::int_or_text && earlier.is_string() ? Value() : earlier;
  }
  if (earlier.is_null() || earlier.kind() != later.kind()) return later;
  if (field.many == Many::list && later.is_array()) return element_wise(field, earlier, later);
  const bool has_members =
      field.many == Many::map || (field.many == Many::one && field.shape == Shape::object);
  return has_members && later.is_object() ? joined(earlier, later) : later;
}

}  // namespace fixpoint::apiserver
