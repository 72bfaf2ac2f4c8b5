#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fixpoint::document {

/// The length of the well-formed UTF-8 sequence at `at` (RFC 3629: no surrogates, nothing overlong); 0 if
/// there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);
bool is_utf8(std::string_view text);
void append_utf8(std::string& out, std::uint32_t code_point);
/// The number of code points, counting each malformed byte as one, like Go's utf8.RuneCountInString.
std::size_t rune_count(std::string_view text);

/// The text with control characters as `\n` or `\x1b`.
std::string one_line(std::string_view text);

inline constexpr std::uint32_t kReplacement = 0xFFFD;

}  // namespace fixpoint::document
