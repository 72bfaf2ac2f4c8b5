#pragma once

#include <optional>

#include "harness/properties/contract.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// Calls a webhook with a Pod that has fields which Kubernetes added in its last minors, and a field of no
/// Kubernetes: a webhook that sends back a typed copy of the Pod removes the fields that its library does not
/// know. Only a direct call can show that, since the server drops unknown fields before it calls webhooks.
/// Returns an error for the oldest field of the Case's own Kubernetes that is lost, or a warning if only the
/// made-up one is.
std::optional<Violation> lost_field(const Examination& examination, const FirstCall& call,
                                    const OwnedPaths& owned_paths);

}  // namespace fixpoint::properties
