#include "harness/apiserver/types/equality.h"

#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/quantity.h"

namespace fixpoint::apiserver {

namespace {

using document::Member;
using document::Value;

bool equal_objects(const Type& type, const Value& a, const Value& b);

bool equal_quantities(const Value& a, const Value& b) {
  if (a.text() == b.text()) return true;
  const auto left = Quantity::parse(a.text()), right = Quantity::parse(b.text());
  return left && right && *left == *right;
}

bool equal_ones(const Field& field, const Value& a, const Value& b) {
  if (a.same(b)) return true;
  if (a.kind() != b.kind()) return false;
  if (field.shape == Shape::object) return equal_objects(*field.type, a, b);
  return field.shape == Shape::quantity ? equal_quantities(a, b) : a == b;
}

bool equal_maps(const Field& field, const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Member& left = a.members()[i];
    const Member& right = b.members()[i];
    const Value* other = left.key == right.key ? &right.value : b.find(left.key.name());
    if (other == nullptr || !equal_ones(field, left.value, *other)) return false;
  }
  return true;
}

bool equal_fields(const Field& field, const Value& a, const Value& b) {
  if (a.same(b)) return true;
  if (field.many == Many::map) return equal_maps(field, a, b);
  if (field.many == Many::one) return equal_ones(field, a, b);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal_ones(field, a.at(i), b.at(i))) return false;
  }
  return true;
}

/// Returns true if a member that only one side has makes no difference: an empty list or map.
bool is_nothing(const Field& field, const Value& value) { return field.many != Many::one && value.empty(); }

bool equal_objects(const Type& type, const Value& a, const Value& b) {
  const auto as = a.members(), bs = b.members();
  std::size_t shared = 0, hint = 0;
  for (std::size_t i = 0; i < as.size(); ++i) {
    const Member& left = as[i];
    const bool is_aligned = shared < bs.size() && bs[shared].key == left.key;
    const Value* other = is_aligned ? &bs[shared].value : b.find(left.key.name());
    if (other != nullptr) ++shared;
    if (other != nullptr && left.value.same(*other)) continue;
    const Field* field = find_field(type, left.key.name(), kNewestMinor, hint);
    if (field == nullptr) {
      if (other == nullptr || !(left.value == *other)) return false;
      continue;
    }
    hint = static_cast<std::size_t>(field - type.fields.data()) + 1;
    if (!(other == nullptr ? is_nothing(*field, left.value) : equal_fields(*field, left.value, *other)))
      return false;
  }
  if (shared == bs.size()) return true;
  for (const Member& right : bs) {
    if (a.find(right.key.name()) != nullptr) continue;
    const Field* field = find_field(type, right.key.name(), kNewestMinor);
    if (field == nullptr || !is_nothing(*field, right.value)) return false;
  }
  return true;
}

}  // namespace

bool semantically_equal_as(const Type& type, const Value& a, const Value& b) {
  if (a.same(b)) return true;
  return a.is_null() == b.is_null() && equal_objects(type, a, b);
}
bool semantically_equal(const Value& a, const Value& b) { return semantically_equal_as(kPod, a, b); }

}  // namespace fixpoint::apiserver
