#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::runner {

/// One step into an object: a member by its name, or any element of a list.
struct FieldStep {
  std::string member = {};
  bool is_element = false;  ///< then `member` is empty
  bool operator==(const FieldStep&) const = default;
};
using FieldPath = std::vector<FieldStep>;

/// Reads a dotted path from the object's root, as expressions of Kubernetes write it: `spec.hostNetwork`,
/// `spec.containers[*].name` (`[*]`, or an index, is any element), `spec.nodeSelector['kubernetes.io/arch']`.
document::Result<FieldPath> parse_field_path(std::string_view text);
std::string write_field_path(const FieldPath& path);

/// Returns all values at the path: none if a member is missing, several behind `[*]`.
std::vector<document::Value> values_at(const document::Value& object, const FieldPath& path);

/// Sets the value in every object on the path, creating missing ones; in a list it uses the first element.
void set_field(document::Value& object, const FieldPath& path, const document::Value& value);

}  // namespace fixpoint::runner
