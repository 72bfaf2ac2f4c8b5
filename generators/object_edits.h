#pragma once

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

// Edits of an object by its schema, which may be null: then values are varied by what they are.
namespace fixpoint::generators {

/// Leaves a member out, empties it, or gives it another value that its schema allows.
void edit_member(runner::Choices& choices, document::Value& object, const document::Value& schema);

/// Makes a member what its schema does not allow, mostly: null, of another type, out of its bounds, unknown.
void spoil_member(runner::Choices& choices, document::Value& object, const document::Value& schema);

}  // namespace fixpoint::generators
