#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/runner/choices.h"

namespace fixpoint::generators {

/// Values at which the API server's rules divide: what a field is for, what it is not for, and the edges.

/// A string for a member of that name; of names and references, now and then one of `known`, which stand in
/// the same Pod.
std::string telling_text(runner::Choices& choices, std::string_view member,
                         std::span<const std::string> known);
/// A key for the map that the member is: of labels, annotations, resources.
std::string telling_key(runner::Choices& choices, std::string_view member,
                        std::span<const std::string> known);
/// An integer that its field can hold, seldom written otherwise than in plain digits.
document::Value telling_number(runner::Choices& choices, bool is_wide);
/// A quantity as the server reads it; `is_careless`: also what it does not read.
document::Value telling_quantity(runner::Choices& choices, bool is_careless);
/// A time likewise.
document::Value telling_time(runner::Choices& choices, bool is_careless);
/// Draws a value that is wrong for most fields.
document::Value wrong_value(runner::Choices& choices);

}  // namespace fixpoint::generators
