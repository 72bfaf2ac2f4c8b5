#pragma once

#include "harness/cases/case.h"
#include "harness/runner/learning/choices.h"

// CustomResourceDefinitions out of all keywords of structural schemas, and Cases about their objects: what
// the simulator and a real server are compared on (`fixpoint live --custom-resources`).
namespace fixpoint::generators {

/// Draws a definition of Widgets in example.io/v1 that a server stores: defaults are valid, the cost of rules
/// is bounded, keys of lists are required.
document::Value draw_definition(runner::Choices& choices);

/// So many successive numbers of Cases share a definition, since a server takes seconds for a new one.
inline constexpr std::uint64_t kCasesOfDefinition = 64;
/// Draws a creation or an update of one of its objects, which a webhook may patch.
cases::Case draw_definition_case(runner::Choices& choices);

}  // namespace fixpoint::generators
