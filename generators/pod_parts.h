#pragma once

#include <optional>

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Draws a value for an openAPIV3Schema that describes a part of a Pod, as custom resources embed them: a
/// Pod's spec, a container, resources, a volume. It is a part of a Pod that the API server accepts, without
/// members that the schema lacks, and a container without mounts, whose volumes would be missing elsewhere. A
/// webhook that copies the part into a Pod is not blamed for what nobody would write there. Returns nothing
/// for another schema.
std::optional<document::Value> draw_pod_part(runner::Choices& choices, const document::Value& schema);

}  // namespace fixpoint::generators
