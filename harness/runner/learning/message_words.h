#pragma once

#include <cstddef>
#include <string_view>

namespace fixpoint::runner {

/// A shorter text may be a word of any message.
inline constexpr std::size_t kShortestNamed = 3;

/// Returns where, from `at` on, the message has the text as whole words; npos if nowhere or if it is empty.
std::size_t find_word(std::string_view message, std::string_view text, std::size_t at = 0);
/// Returns true if the message has the text in quotation marks.
bool is_quoted_in(std::string_view message, std::string_view text);

}  // namespace fixpoint::runner
