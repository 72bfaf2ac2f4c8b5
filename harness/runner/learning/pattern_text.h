#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/learning/choices.h"

namespace fixpoint::runner {

/// Draws a text that matches a regular expression of RE2's syntax somewhere, as a server applies the pattern
/// of a schema: from the parsed expression, at most `runes_max` long, and checked by matching. Nothing for an
/// expression that cannot be read or met in a few attempts.
std::optional<std::string> draw_matching(Choices& choices, std::string_view pattern,
                                         std::size_t runes_max = 64);

/// Returns the plainest of these texts that is not empty: the first of each alternative, each part once or as
/// often as it must be.
std::optional<std::string> text_matching(std::string_view pattern);

/// Returns at most so many texts, that one first: with each alternative, and with two numbers for one.
/// Programs find keys by a pattern that belong together: `dataset\.[0-9]+\.(id|useas)`.
std::vector<std::string> texts_matching(std::string_view pattern, std::size_t most);

}  // namespace fixpoint::runner
