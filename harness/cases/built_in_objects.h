#pragma once

#include <span>

#include "harness/cases/object_name.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

/// The objects that every API server creates by itself and that a Case need not list: the two PriorityClasses
/// of the system (pkg/apis/scheduling/v1 SystemPriorityClasses) and the four namespaces
/// (pkg/controlplane/controller/systemnamespaces, and `default`).
std::span<const document::Value> built_in_objects();

/// The one of that name; nullptr if the server has none.
const document::Value* built_in_object(const ObjectName& name);

}  // namespace fixpoint::cases
