#include "harness/properties/message_shape.h"

namespace fixpoint::properties {

namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/// The place of the quote that ends the text quoted at `begin`, or npos.
std::size_t end_of_quoted(std::string_view message, std::size_t begin) {
  const char quote = message[begin];
  for (std::size_t at = begin + 1; at < message.size(); ++at) {
    if (message[at] == '\\' && quote == '"') {
      ++at;
    } else if (message[at] == quote && (at + 1 == message.size() || !is_word(message[at + 1]))) {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string without_quoted(std::string_view message, std::string_view instead) {
  std::string text;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const char c = message[at];
    text += c;
    const bool opens = (c == '"' || c == '\'' || c == '`') && (at == 0 || !is_word(message[at - 1]));
    if (!opens) continue;
    const std::size_t end = end_of_quoted(message, at);
    if (end == std::string_view::npos) continue;
    text += instead;
    at = end;
  }
  return text;
}

}  // namespace fixpoint::properties
