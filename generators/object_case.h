#pragma once

#include "generators/draw_context.h"

// Cases about objects of other kinds than Pod: custom resources, and kinds of Kubernetes around their
// examples.
namespace fixpoint::generators {

/// Returns the kind of which the next Case of the subject is, evenly drawn; nullptr for a Pod.
const runner::DrawnKind* draw_kind(Choices& choices, const PreparedSubject& subject);

/// Draws a request for an object of the kind to the subject alone: an example that was varied, or an object
/// by the schema of its definition, created or updated. `steering` leads the subject to act, if it is
/// there.
Case draw_object_case(Choices& choices, const DrawContext& draw_context, const PreparedSubject& subject,
                      const runner::DrawnKind& kind, const runner::Steering* steering);

}  // namespace fixpoint::generators
