#pragma once

#include "harness/document/value.h"

namespace fixpoint::document {

/// Returns a patched document with its members in the order in which Go's library writes them: an object that
/// an operation enters becomes a map, whose members are written sorted by name; others stay as they were. The
/// order says which of several values that do not decode the server names.
Value as_library_writes(const Value& patched, const Value& patch);

}  // namespace fixpoint::document
