#pragma once

#include <string_view>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// The field of a Pod at a path of member names joined by dots, with `[]` after lists:
/// `spec.containers[].env`. Its `type` and `keys` describe its elements. nullptr if that minor knows no such
/// field.
const Field* field_at(std::string_view path, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
