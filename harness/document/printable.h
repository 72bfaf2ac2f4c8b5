#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text for display.
namespace fixpoint::document {

/// Makes foreign text safe for a terminal: control characters, including C1 and bidirectional ones, become
/// visible escapes, so that nothing from a Pod or a webhook can control it. Nor can it command a build
/// server: `##[` and a leading `::` become escapes too.
std::string printable(std::string_view text);
/// Returns true if the character of `length` bytes controls a terminal: C0, DEL, C1, and the marks that
/// reorder text.
bool steers(std::string_view text, std::size_t at, std::size_t length);

/// "1.3"
std::string seconds_text(double seconds);

}  // namespace fixpoint::document
