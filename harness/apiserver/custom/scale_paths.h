#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/apiserver/validation/errors.h"
#include "harness/cases/kind.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

using document::Value;

/// Returns what the definition says of the subresource scale of the kind's version; null if it has none.
const Value& scale_paths_of(const cases::Kind& kind);

/// A number or a text at the path of a definition such as `.spec.replicas`, as Go reads it
/// (apimachinery/pkg/apis/meta/v1/unstructured NestedInt64, NestedString).
struct Nested {
  bool is_found = false;
  std::int64_t number = 0;
  std::string text = {};
  std::string problem = {};  ///< what the server says of a value of another type
};
Nested nested_number(const Value& object, std::string_view path);
Nested nested_text(const Value& object, std::string_view path);

/// Returns the object with the number at the path; objects on the way to it are made.
Value with_number(Value object, std::string_view path, std::int64_t number);

/// Checks what stands at the paths of the subresource scale, if there is one
/// (apiextensions-apiserver/pkg/registry/customresource/validator.go ValidateScaleSpec, ValidateScaleStatus).
/// An update of the status asks for that part alone.
void check_scale_paths(const Value& object, const cases::Kind& kind, bool is_status,
                       validation::Errors& errors);

}  // namespace fixpoint::apiserver::custom
