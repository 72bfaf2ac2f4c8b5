#pragma once

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Thrown for an apply configuration that the server does not merge.
struct MergeRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Merges an apply configuration into a decoded Pod as policies do (docs/simulator.md#5-5): lists by the keys
/// that the published schema names, maps and structs member by member, everything else as a whole. Throws
/// MergeRefused for a configuration that does not conform to the schema or that mentions something atomic,
/// and, below 1.35, for a Pod with two elements of one key. Numbers of integer fields become what Go's
/// conversion makes of them.
Json merge_configuration(const Json& pod, const Json& configuration, int minor);

/// Returns true if an update adds or changes a field that its manager then owns, in a Pod or in the part of
/// it that a subresource is for. What it only removes is owned by nobody.
bool owns_a_field(const Json& pod, const Json& old_pod, const std::string& sub_resource, int minor);

/// Returns true if a document has members that the schema of the type does not know.
bool has_unknown_members(std::string_view type, const Json& document, int minor);

}  // namespace fixpoint::oracle
