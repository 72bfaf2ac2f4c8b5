#pragma once

#include <vector>

#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// Observes containers that a call added and that do not fit their Pod: one that changes the network of the
/// node (NET_ADMIN, or privileged, in a Pod with hostNetwork), and one that keeps a Pod from its end
/// (regular, in a Pod whose containers are not restarted).
void observe_injected_containers(const FirstCall& call, std::vector<Observation>& observations);

}  // namespace fixpoint::properties
