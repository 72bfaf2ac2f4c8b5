#pragma once

#include "generators/pod/prepared_vocabulary.h"
#include "harness/apiserver/types/field.h"

namespace fixpoint::generators {

using apiserver::Field;
using apiserver::Type;

/// Calls visit(object, type) for `value` and all objects below it whose types are in the tables. Values whose
/// shape differs from their type are skipped.
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

/// Returns the zero of the field's type: "", 0, false, [] or {}; null where JSON has none.
Value zero_value(const Field& field);
/// Draws a value that the field's type can hold; an object has few members or none.
Value some_value(const Field& field, Choices& choices);

}  // namespace fixpoint::generators
