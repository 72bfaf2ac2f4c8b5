#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/runner/choices.h"

namespace fixpoint::generators {

/// Boundary values of the API server's rules: legal ones, illegal ones, and the edges.

/// A string for a member of that name; of names and references, now and then one of `known`, which stand in
/// the same Pod.
std::string boundary_text(runner::Choices& choices, std::string_view member,
                          std::span<const std::string> known);
/// A key for the map that the member is: of labels, annotations, resources.
std::string boundary_key(runner::Choices& choices, std::string_view member,
                         std::span<const std::string> known);
/// An integer that its field can hold, seldom written otherwise than in plain digits.
document::Value boundary_number(runner::Choices& choices, bool is_wide);
/// Draws a quantity that the server accepts; `is_careless`: also one that it does not accept.
document::Value boundary_quantity(runner::Choices& choices, bool is_careless);
/// A time likewise.
document::Value boundary_time(runner::Choices& choices, bool is_careless);
/// Draws a value that is wrong for most fields.
document::Value wrong_value(runner::Choices& choices);

}  // namespace fixpoint::generators
