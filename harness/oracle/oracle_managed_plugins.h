#pragma once

#include "harness/oracle/oracle_plugins.h"

namespace fixpoint::oracle {

// The mutating plugins that managed clusters switch on. Each throws Rejected.

void always_pull_images(const RequestContext& around, Json& pod);
void pod_node_selector(const RequestContext& around, Json& pod);
void pod_toleration_restriction(const RequestContext& around, Json& pod);
void extended_resource_toleration(const RequestContext& around, Json& pod);
void pod_topology_labels(const RequestContext& around, Json& pod);

/// Tolerations as the server decodes them.
Json read_tolerations(const Json& sent, int minor);
/// Both lists, without what another one covers (pkg/util/tolerations MergeTolerations).
Json merged_tolerations(const Json& first, const Json& second);

/// The priority class of the system with that name, which every server has; null for any other name.
Json built_in(std::string_view kind, std::string_view name);

}  // namespace fixpoint::oracle
