#pragma once

#include "harness/cases/case.h"
#include "harness/runner/learning/choices.h"

// CustomResourceDefinitions out of all keywords of structural schemas, and Cases about their objects: what
// the simulator and a real server are compared on (`fixpoint live --custom-resources`).
namespace fixpoint::generators {

/// Draws a definition of Widgets in example.io/v1, and in some also in v1beta1, that a server stores:
/// defaults are valid, the cost of rules is bounded, keys of lists are required.
document::Value draw_definition(runner::Choices& choices);

/// So many successive numbers of Cases share a definition, since a server takes seconds for a new one.
inline constexpr std::uint64_t kCasesOfDefinition = 64;
/// Draws a creation or an update of one of its objects, of its status or of its scale, in one of its
/// versions, which a webhook may patch in that one or in another.
cases::Case draw_definition_case(runner::Choices& choices);

}  // namespace fixpoint::generators
