#include "harness/apiserver/custom/structural_schema.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/apiserver/custom/correlation.h"
#include "harness/document/limits.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Name;


bool is_of_type_meta(std::string_view member) {
  return member == "apiVersion" || member == "kind" || member == "metadata";
}

/// Applies a function to each element or member below a value, with its schema; copies only what changes.
/// Fields that every resource has can stay as they are.
template <class Change>
Value with_each(Value value, const Value& schema, Change change, bool keeps_type_meta = false) {
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      Value changed = change(value.at(i), schema["items"]);
      if (!changed.same(value.at(i))) value.edit(i) = std::move(changed);
    }
    return value;
  }
  const Value before = value;
  for (const Member& member : before.members()) {
    const Value& below = schema_of_member(schema, member.key.name());
    if (below.is_null() || (keeps_type_meta && is_of_type_meta(member.key.text()))) continue;
    Value changed = change(member.value, below);
    if (!changed.same(member.value)) value.set(member.key.name(), std::move(changed));
  }
  return value;
}

Value pruned_below(Value value, const Value& schema, bool is_resource) {
  if (!value.is_object() && !value.is_array()) return value;
  const bool is_embedded = is_resource || schema[kEmbeddedKey].is_true();
  if (value.is_object() && !schema[kKeepsUnknownKey].is_true()) {
    const Value before = value;
    for (const Member& member : before.members()) {
      if (is_embedded && is_of_type_meta(member.key.text())) continue;
      const Value& below = schema_of_member(schema, member.key.name());
      if (below.is_null() || (below.is_boolean() && !below.is_true())) value.remove(member.key.name());
    }
  }
  return with_each(
      std::move(value), schema,
      [](const Value& part, const Value& below) { return pruned_below(part, below, false); }, is_embedded);
}

bool allows_null(const Value& schema) {
  return schema.is_null() || schema["nullable"].is_true() || schema.find(Name("default")) != nullptr;
}

}  // namespace

const Value& schema_of(const cases::Kind& kind) {
  static const Value none;
  if (!kind.is_custom()) return none;
  for (const Value& version : (*kind.definition)["spec"]["versions"].elements()) {
    if (version["name"].text() == kind.version) return version["schema"]["openAPIV3Schema"];
  }
  return none;
}

Value pruned(Value object, const Value& schema) { return pruned_below(std::move(object), schema, true); }

Value without_nulls(Value object, const Value& schema) {
  if (object.is_object()) {
    const Value before = object;
    for (const Member& member : before.members()) {
      if (member.value.is_null() && !allows_null(schema_of_member(schema, member.key.name())))
        object.remove(member.key.name());
    }
  }
  if (!object.is_object() && !object.is_array()) return object;
  return with_each(std::move(object), schema, without_nulls);
}

Value with_defaults(Value object, const Value& schema) {
  if (object.is_object()) {
    for (const Member& property : schema["properties"].members()) {
      const Value* value = property.value.find(Name("default"));
      if (value == nullptr) continue;
      const Value* present = object.find(property.key.name());
      const bool is_missing = present == nullptr ||
          (present->is_null() && !property.value["nullable"].is_true());
      if (is_missing) object.set(property.key.name(), *value);
    }
  }
  if (!object.is_object() && !object.is_array()) return object;
  return with_each(std::move(object), schema, [](const Value& part, const Value& below) {
    const Value* value = below.find(Name("default"));
    if (part.is_null() && value != nullptr && !below["nullable"].is_true()) return with_defaults(*value,
                                                                                                 below);
    return with_defaults(part, below);
  });
}

bool is_free(const cases::Kind& kind) {
  const Value& schema = schema_of(kind);
  return schema.is_null() || (schema[kKeepsUnknownKey].is_true() && schema["properties"]["spec"].is_null());
}

}  // namespace fixpoint::apiserver::custom
