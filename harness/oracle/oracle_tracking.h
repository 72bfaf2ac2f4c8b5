#pragma once

#include <string>

#include "harness/oracle/oracle_json.h"

// The server's field tracking once more (docs/simulator.md#4-5).
namespace fixpoint::oracle {

/// The managedFields as admission sees them; null for none. `sent` are the entries of the request as they
/// were sent, `stored` those of the stored object.
Json entries_before_admission(const Json& sent, const Json& stored, bool is_update, bool is_subresource,
                              bool changes);

/// The server's complaint about entries that it cannot read; empty if it can.
std::string complaint_about(const Json& entries);

}  // namespace fixpoint::oracle
