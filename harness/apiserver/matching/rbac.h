#pragma once

#include <string>

#include "harness/apiserver/cel/authorizer.h"
#include "harness/cases/case.h"
#include "harness/cases/kind.h"

namespace fixpoint::apiserver {

/// The authorizer of expressions: what the RBAC objects of the cluster allow
/// (plugin/pkg/auth/authorizer/rbac/rbac.go). The group system:masters may do everything, and what no rule
/// allows is not allowed. `cluster` and `request` must outlive it.
cel::Authorizer rbac_authorizer(const cases::Cluster& cluster, const cases::Request& request);

/// The question of `authorizer.requestResource`, which each check completes with a verb.
cel::AuthorizationQuestion about_request(const cases::Request& request, const cases::Kind& kind,
                                         std::string_view name);

}  // namespace fixpoint::apiserver
