#pragma once

#include <cstdint>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::properties {

using document::Value;

/// Returns up to three other values that are legal in place of this one; `hash` draws them. An image keeps
/// its registry and a text its kind (a number, a boolean, JSON), so that a webhook that acts on one acts on
/// the others. Empty if no other value of that field is known.
std::vector<Value> other_values(const apiserver::Field& field, const Value& value, std::uint32_t hash);

/// Returns the same for the handler of a probe or a lifecycle hook: another port, path, header or command of
/// the same kind of handler. `hook` is the whole probe.
std::vector<Value> other_handlers(const Value& hook, std::uint32_t hash);

}  // namespace fixpoint::properties
