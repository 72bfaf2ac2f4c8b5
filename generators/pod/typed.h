#pragma once

#include "generators/pod/prepared_vocabulary.h"
#include "harness/apiserver/types/field.h"

namespace fixpoint::generators {

using apiserver::Field;
using apiserver::Type;

/// Calls visit(object, type) for all objects at and below `value` whose types the tables know. Values of
/// another shape than their type are skipped.
template <class Visit>
void visit_objects(Value& value, const Type& type, const Visit& visit) {
  visit(value, type);
  for (const Field& field : type.fields) {
    if (field.type == nullptr || field.many == apiserver::Many::map) continue;
    const Value* child = value.find(field.name);
    if (child == nullptr || (!child->is_object() && !child->is_array())) continue;
    if (field.many == apiserver::Many::one && child->is_object()) {
      visit_objects(value.edit(field.name), *field.type, visit);
    }
    if (field.many != apiserver::Many::list || !child->is_array()) continue;
    Value& list = value.edit(field.name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.at(i).is_object()) visit_objects(list.edit(i), *field.type, visit);
    }
  }
}

/// The field's zero: "", 0, false, [] or {}; null where JSON has no such thing.
Value zero_value(const Field& field);
/// Some value that the field's type can hold, an object with few members or none.
Value some_value(const Field& field, Choices& choices);

}  // namespace fixpoint::generators
