#pragma once

#include <optional>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Runs the in-tree mutating plugins that the Case switches on over a Pod, in the server's own order (spec
/// §1.1), as each of the two passes does. A plugin that refuses answers the status the client gets; the Pod
/// is then of no use.
std::optional<cases::Status> run_plugins(const cases::Request& request, const cases::Cluster& cluster,
                                         document::Value& pod);

}  // namespace fixpoint::apiserver
