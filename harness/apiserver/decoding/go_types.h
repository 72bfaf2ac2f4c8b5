#pragma once

#include <string>
#include <string_view>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

// How Go's JSON decoder names the types and fields of a Pod in its errors.

/// The Go type of a field's value, or, for `of_element`, of an element of the list or map: `int64`,
/// `v1.PullPolicy`, `[]v1.Container`.
std::string go_type(const Type& type, const Field& field, bool of_element);

/// Returns true for Go's type of a text that has one of its own, such as `v1.PullPolicy`.
bool is_named_text(std::string_view go);

/// The field as the path of an error names it: with the struct in front in which Go declares it, where that
/// one is embedded, such as `VolumeSource.secret`; before 1.35 without it.
std::string go_field(const Type& type, const Field& field, int minor);

}  // namespace fixpoint::apiserver
