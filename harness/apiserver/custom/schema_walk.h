#pragma once

#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/validation/path.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// Calls `function(part, schema, path)` for a value and for each part below it that its schema specifies;
/// keys of additionalProperties stand in brackets.
template <class Function>
void for_each_part(const document::Value& value, const document::Value& schema, const validation::Path& path,
                   const Function& function) {
  function(value, schema, path);
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    for_each_part(value.at(i), schema["items"], path.at(i), function);
  for (const document::Member& member : value.members()) {
    const bool is_specified = schema["properties"].find(member.key.name()) != nullptr;
    const document::Value& below = schema_of_member(schema, member.key.name());
    if (below.is_object())
      for_each_part(member.value, below,
                    is_specified ? path.child(member.key.text()) : path.key(member.key.text()), function);
  }
}

/// The same for what the schema of a whole resource specifies: paths begin with its members.
template <class Function>
void for_each_part_of_resource(const document::Value& object, const document::Value& schema,
                               const Function& function) {
  for (const document::Member& property : schema["properties"].members()) {
    if (const document::Value* value = object.find(property.key.name()))
      for_each_part(*value, property.value, validation::Path(property.key.text()), function);
  }
}

}  // namespace fixpoint::apiserver::custom
