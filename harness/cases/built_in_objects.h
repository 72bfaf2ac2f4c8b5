#pragma once

#include <span>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::cases {

/// The objects that every API server creates by itself and that a Case need not list: the two PriorityClasses
/// of the system (pkg/apis/scheduling/v1 SystemPriorityClasses) and the four namespaces
/// (pkg/controlplane/controller/systemnamespaces, and `default`).
std::span<const document::Value> built_in_objects();

/// The one of that kind and name; nullptr if the server has none.
const document::Value* built_in_object(std::string_view kind, std::string_view namespace_name,
                                       std::string_view name);

}  // namespace fixpoint::cases
