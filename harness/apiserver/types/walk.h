#pragma once

#include <string_view>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// The field of a Pod at a path of member names joined by dots, with `[]` behind lists:
/// `spec.containers[].env`. Its `type` and `keys` say what it holds and what tells its elements apart.
/// nullptr when that minor knows no such field.
const Field* field_at(std::string_view path, int minor = kNewestMinor);

}  // namespace fixpoint::apiserver
