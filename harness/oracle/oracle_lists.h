#pragma once

#include <set>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// The keys that a list of a Pod holds more than once (spec §6.1): for each `PATH WORD`, the path of the last
/// element that has the key, with the key's first member, and what the server says, `error` or `warning`.
/// Lists of two containers of one name are one list.
std::set<std::string> repeated_in(const Json& pod);

}  // namespace fixpoint::oracle
