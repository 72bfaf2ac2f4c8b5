#pragma once

#include <optional>

#include "harness/properties/contract.h"
#include "harness/properties/probe.h"

namespace fixpoint::properties {

/// Asks a webhook about a Pod with fields that Kubernetes added in its last minors, and with a field of no
/// Kubernetes: a webhook that sends back a typed copy of the Pod removes what its library does not know. Only
/// a direct call can ask that, since the server drops what it does not know before it calls anyone. An error
/// if a field of the Case's own Kubernetes is lost, the oldest one; a warning if only the made-up one is.
std::optional<Violation> lost_field(const Examination& examination, const FirstCall& call,
                                    const Footprint& footprint);

}  // namespace fixpoint::properties
