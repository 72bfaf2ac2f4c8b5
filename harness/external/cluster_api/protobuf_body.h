#pragma once

#include <optional>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::external {

/// Reads the parts of a Kubernetes object in protobuf that decide how a write is answered: apiVersion, kind,
/// the names and the version of its metadata, the spec of a Lease, the token of a TokenReview, and dryRun of
/// DeleteOptions. client-go writes built-in kinds so by default, Leases of its leader election among them.
/// Empty if the bytes are no such object.
std::optional<document::Value> read_protobuf_body(std::string_view bytes);

}  // namespace fixpoint::external
