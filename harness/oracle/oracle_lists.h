#pragma once

#include <set>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// The keys that a list of a Pod holds more than once (docs/simulator.md#6-1): for each `PATH WORD`, the path
/// of the last element that has the key, with the key's first member, and the server's severity, `error` or
/// `warning`. Lists of two containers of one name are one list.
std::set<std::string> repeated_in(const Json& pod);

}  // namespace fixpoint::oracle
