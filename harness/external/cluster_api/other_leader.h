#pragma once

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_resources.h"
#include "harness/external/cluster_api/object_store.h"

namespace fixpoint::external {

/// Returns true for the resource that client-go's leader election reads and writes.
bool is_leases(const ApiResource& resource);

/// Returns the Lease of that name as another replica of the webhook holds and renews it: it is renewed
/// whenever it is read, so that client-go's leader election (k8s.io/client-go/tools/leaderelection) waits for
/// its turn.
document::Value lease_of_other_leader(const ApiResource& resource, const ObjectKey& key);

}  // namespace fixpoint::external
