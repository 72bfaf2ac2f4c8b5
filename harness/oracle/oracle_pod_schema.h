#pragma once

#include <string>

namespace fixpoint::oracle {

/// Returns the types of a Pod as the Kubernetes API documents them, minors 1.29 to 1.36: a line for each
/// type, with its members, their kinds and their constant defaults.
std::string pod_schema();

}  // namespace fixpoint::oracle
