#pragma once

#include <array>
#include <concepts>
#include <utility>

#include "harness/apiserver/types/field.h"
#include "harness/apiserver/types/metadata_types.h"

namespace fixpoint::apiserver {

// The constructors that the tables of types are written with.

constexpr Field text(const char* name) { return {.name = name, .shape = Shape::text}; }
constexpr Field boolean(const char* name) { return {.name = name, .shape = Shape::boolean}; }
constexpr Field int32(const char* name) { return {.name = name, .shape = Shape::int32}; }
constexpr Field int64(const char* name) { return {.name = name, .shape = Shape::int64}; }
constexpr Field quantity(const char* name) {
  return {.name = name, .shape = Shape::quantity, .is_always = true};
}
constexpr Field time(const char* name) { return {.name = name, .shape = Shape::time, .is_always = true}; }
constexpr Field int_or_text(const char* name) {
  return {.name = name, .shape = Shape::int_or_text, .is_always = true};
}
constexpr Field raw(const char* name) { return {.name = name, .shape = Shape::raw, .is_pointer = true}; }
constexpr Field list_of(Field one) { return (one.many = Many::list, one.is_always = false, one); }
constexpr Field map_of(Field one) { return (one.many = Many::map, one.is_always = false, one); }
constexpr Field object(const char* name, const Type& type) {
  return {.name = name, .shape = Shape::object, .is_always = true, .type = &type};
}
constexpr Field objects(const char* name, const Type& type) { return list_of(object(name, type)); }

/// The members of a kind of objects: those that each has, and its own.
template <std::same_as<Field>... Own>
consteval std::array<Field, 3 + sizeof...(Own)> object_fields(const Own&... own) {
  return {text("kind"), text("apiVersion"), object("metadata", kObjectMeta), own...};
}
/// The members of a type that has all of another's and one more.
template <std::size_t kCount>
consteval std::array<Field, kCount + 1> fields_with(const Field (&fields)[kCount], const Field& more) {
  return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::array<Field, kCount + 1>{fields[kIndex]..., more};
  }(std::make_index_sequence<kCount>());
}

/// A list of texts that are their own keys.
inline constexpr ListKey kBySelf[] = {{{{}, {}}, Duplicate::silent}};
/// Lists whose elements have unique names: a duplicate name is an error, or a warning.
inline constexpr ListKey kByName[] = {{{"name", {}}}};
inline constexpr ListKey kByNameWarned[] = {{{"name", {}}, Duplicate::warning}};

}  // namespace fixpoint::apiserver
