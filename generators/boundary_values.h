#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Boundary values of the API server's rules: legal ones, illegal ones, and the edges.

/// Draws a string for a member of that name. For names and references it is sometimes one of `known`, the
/// names in the same Pod.
std::string boundary_text(runner::Choices& choices, std::string_view member,
                          std::span<const std::string> known);
/// Draws a key for the map `member`: labels, annotations or resources.
std::string boundary_key(runner::Choices& choices, std::string_view member,
                         std::span<const std::string> known);
/// Draws an integer that its field can hold, rarely in another notation than plain digits. `is_wide`: the
/// field has 64 bits.
document::Value boundary_number(runner::Choices& choices, bool is_wide);
/// Draws a quantity that the server accepts; with `is_careless` sometimes one that it rejects.
document::Value boundary_quantity(runner::Choices& choices, bool is_careless);
/// Draws a time that the server accepts; with `is_careless` sometimes one that it rejects.
document::Value boundary_time(runner::Choices& choices, bool is_careless);
/// Draws a value that is wrong for most fields.
document::Value wrong_value(runner::Choices& choices);

}  // namespace fixpoint::generators
