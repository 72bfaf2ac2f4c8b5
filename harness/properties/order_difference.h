#pragma once

#include "harness/cases/case.h"
#include "harness/properties/path_values.h"

namespace fixpoint::properties {

/// Returns true if the cluster has a LimitRange. A container that is added late gets its defaults later than
/// others, so that the resources which a webhook sees depend on the order through no fault of the webhook.
bool has_limit_range(const cases::Cluster& cluster);

/// Returns the differences of two Pods, made by one chain in two orders, that count for an order. Left out
/// are what plugins of the server write by the order of containers, texts of the same words in another order
/// and, without `with_resources`, the resources of containers.
Differing order_difference(const Value& a, const Value& b, bool with_resources);

}  // namespace fixpoint::properties
