#pragma once

#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"

namespace fixpoint::runner {

/// Returns the cluster objects without which the server refuses every Pod of this spec: its PriorityClass,
/// its RuntimeClass and, if the Pod's namespace is known, its ServiceAccount.
std::vector<document::Value> objects_named_by(const document::Value& spec,
                                              std::string_view namespace_name = {});
/// Adds the missing objects that the spec of the Case's Pod names to the cluster.
void add_named_objects(cases::Case& value);

}  // namespace fixpoint::runner
