#pragma once

#include <optional>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Runs NamespaceLifecycle and the in-tree mutating plugins that the Case enables over a Pod, in the server's
/// own order (docs/simulator.md#1-1), as the given one of the two passes does. Returns the status for the
/// client if a plugin rejects the Pod, which must then not be used.
std::optional<cases::Status> run_plugins(const cases::Request& request, const cases::Cluster& cluster,
                                         document::Value& pod, int pass = 1);
/// The same for objects of other kinds, which no in-tree plugin but NamespaceLifecycle looks at.
std::optional<cases::Status> run_lifecycle(const cases::Request& request, const cases::Cluster& cluster,
                                           document::Value& object, int pass = 1);

}  // namespace fixpoint::apiserver
