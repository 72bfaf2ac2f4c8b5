#pragma once

#include <array>
#include <string_view>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

/// How apply configurations merge a list, map or struct (x-kubernetes-list-type and x-kubernetes-map-type of
/// the published OpenAPI schemas).
enum class Relation {
  atomic,       ///< replaced as a whole; a policy may not mention it
  separable,    ///< member by member
  associative,  ///< a list whose elements are found by their keys, or by themselves
};

/// A key of an associative list; `absent` is the value of an element without it.
struct MergeKey {
  std::string_view member = {};
  std::string_view absent = {};
  bool is_number = false;
  bool is_needed = false;  ///< an element without it is none
};

struct MergeRule {
  Relation relation = Relation::separable;
  std::array<MergeKey, 4> keys = {};  ///< of an associative list; none if the elements are their own keys
};

/// The rule of a list or map field of a type of the tables.
MergeRule merge_rule(const Type& type, const Field& field);
/// The rule of a list, a map or a struct of the schema of a custom resource.
MergeRule merge_rule(const document::Value& schema);
/// Returns true for a struct that is replaced as a whole.
bool is_atomic(const Type& type);

}  // namespace fixpoint::apiserver::policies
