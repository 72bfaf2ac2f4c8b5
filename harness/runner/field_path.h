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
  bool is_element = false;  ///< then there is no member
  bool operator==(const FieldStep&) const = default;
};
using FieldPath = std::vector<FieldStep>;

/// Reads a dotted path from the object's root, as expressions of Kubernetes write it: `spec.hostNetwork`,
/// `spec.containers[*].name` (`[*]`, or an index, is any element), `spec.nodeSelector['kubernetes.io/arch']`.
document::Result<FieldPath> parse_field_path(std::string_view text);
std::string write_field_path(const FieldPath& path);

/// All values at the path: none where a member is missing, several behind `[*]`.
std::vector<document::Value> values_at(const document::Value& object, const FieldPath& path);

/// Sets the value in every object on the way, which it makes where there is none; of a list in its first
/// element.
void set_field(document::Value& object, const FieldPath& path, const document::Value& value);

}  // namespace fixpoint::runner
