#pragma once

#include "harness/oracle/oracle_cel_value.h"

namespace fixpoint::oracle {

// What the values of mutations are as documents (docs/simulator.md#5-5). All throw CelFailed for a value that
// is none.

/// The document of an `Object{…}`. Lists and maps that an expression makes are documents only as the value of
/// a field; within another list or map they are values that no schema takes.
Json configuration_of(const CelValue& object);
/// Returns true if a list of `JSONPatch{…}` crashes the server: a value has an `Object{…}` within a list or a
/// map.
bool crashes_the_server(const CelValue& patches);
/// The JSON Patch of a list of `JSONPatch{…}`. Integers that a double cannot hold become texts.
Json patch_of(const CelValue& patches);

}  // namespace fixpoint::oracle
