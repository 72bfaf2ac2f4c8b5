#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/learning/program_lines.h"

namespace fixpoint::runner {

// The use that a program makes of a literal, by the text around it.

/// Returns true if the text has one of the ends.
bool has_end_of(std::string_view text, std::initializer_list<std::string_view> ends);
/// Returns true for a member on the way to what a program looks up, which is no value.
bool is_way_to_maps(std::string_view text);
/// Returns true for a literal that the program searches for in another text.
bool is_searched(const Literal& literal);
/// Returns true for a literal by which the program splits a text.
bool is_separator(const Literal& literal);
/// Returns true for a literal that is a regular expression.
bool is_pattern(const Literal& literal);
/// Returns the text with a digit in the place of each part that the program puts in: `{number}`, `${name}`,
/// `%s`. Nothing if no part is put in, or if the text begins with one.
std::optional<std::string> with_holes_filled(std::string_view text);

/// Returns the keys of a table on the line, by which programs look up what an annotation names: `"maxmind":
/// {…}`. The members of reviews and patches, which stand in tables as well, are none.
std::vector<std::string> keys_of_table(const ProgramLine& line);

}  // namespace fixpoint::runner
