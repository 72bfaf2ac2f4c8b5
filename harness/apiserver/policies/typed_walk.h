#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/policies/merge_rules.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

/// How Go prints a value that no schema takes: a null of CEL, an unsigned integer, a quantity.
struct ForeignValue {
  std::string plain;   ///< with %v
  std::string syntax;  ///< with %#v
  std::string type;    ///< with %T
};
/// A document that stands for such a value until the schema refuses it.
document::Value foreign_value(const ForeignValue& value);

/// The type of a value as far as it is known: a field of a type or an element of its list or map, or what the
/// schema of a custom resource says.
struct Place {
  const Type* owner = nullptr;
  const Field* field = nullptr;
  bool is_element = false;
  const document::Value* schema = nullptr;  ///< instead of the others
  bool is_root = false;                     ///< of a custom resource

  bool is_list() const;
  bool is_map() const;     ///< with any keys
  bool is_struct() const;  ///< with members of its own
  /// Returns true for a value of which nothing is known.
  bool is_free() const;
  /// Returns true for a map or a struct that is replaced as a whole.
  bool is_whole() const;
  /// The kind of a scalar.
  Shape shape() const;
  MergeRule rule() const;
  /// The place of a member, or of the elements. Nothing if there is no such member.
  std::optional<Place> member(std::string_view name, int minor) const;
  Place element() const;
};

/// The place of a whole object of that type.
Place object_place(const Type& type);
/// The place of a whole custom resource with that schema.
Place custom_place(const document::Value& schema);

/// The errors of a document that does not conform to the schema
/// (structured-merge-diff typed/validate.go). Elements with one key are errors unless `allows_duplicates`.
std::vector<std::string> schema_problems(const Place& root, const document::Value& value, int minor,
                                         bool allows_duplicates);
/// Converts the numbers of a document that conforms to the schema to the integers of its fields, as the
/// server does (apimachinery/pkg/runtime/converter.go fromUnstructured): larger ones lose bits. Returns why
/// one cannot be converted.
std::string convert_numbers(const Place& place, document::Value& value, int minor);
/// The paths of what is atomic in the document (smd.go findAtomics), sorted: the server has them in the order
/// of a Go map.
std::vector<std::string> atomic_paths(const Place& root, const document::Value& value, int minor);

/// The key of an element of an associative list, as errors print it: `[name="a"]`, or an error.
struct ElementKey {
  std::string text;
  std::string problem = {};
};
ElementKey key_of(const MergeRule& rule, const document::Value& element);

}  // namespace fixpoint::apiserver::policies
