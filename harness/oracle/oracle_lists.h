#pragma once

#include <set>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Returns the keys that a list of a Pod contains more than once (docs/simulator.md#6-1). Each text is `PATH
/// WORD`: the path of the last element with the key, including the key's first member, and the server's
/// severity, `error` or `warning`. The lists of two containers with one name count as one list.
std::set<std::string> repeated_in(const Json& pod);

}  // namespace fixpoint::oracle
