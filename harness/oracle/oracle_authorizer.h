#pragma once

#include <map>
#include <string>

#include "harness/oracle/oracle_cel.h"
#include "harness/oracle/oracle_plugins.h"

namespace fixpoint::oracle {

/// Gives an expression `authorizer` and `authorizer.requestResource`, which answer from the RBAC objects of
/// the cluster (plugin/pkg/auth/authorizer/rbac). `name` is that of the request's object; `around` must
/// outlive the inputs.
void add_authorizer(CelInputs& inputs, const Surroundings& around, const std::string& name);

/// Calls a function of an authorizer, of a check that is being put together, or of a decision, the first of
/// the arguments. Throws CelFailed, and Unsupported for what none of them has.
CelValue authorizer_function(const std::string& name, const std::vector<CelValue>& arguments,
                             const CelInputs& inputs);

}  // namespace fixpoint::oracle
