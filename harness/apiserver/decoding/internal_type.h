#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// A decoded Pod after its conversion to the server's internal type and back (docs/simulator.md#4-4):
/// serviceAccountName equals its deprecated alias, a negative grace period becomes 1, old annotations of init
/// containers are dropped, a security context and the first pod IP are always present, apiVersion and kind
/// are filled in. Returns the same node if nothing changes.
document::Value through_internal_type(const document::Value& pod);

/// The same for the metadata and the spec of a Pod template, which is edited; its grace period is kept.
void template_through_internal_type(document::Value& owner);

}  // namespace fixpoint::apiserver
