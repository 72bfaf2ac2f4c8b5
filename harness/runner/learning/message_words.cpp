#include "harness/runner/learning/message_words.h"

#include <cctype>

namespace fixpoint::runner {

namespace {

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::size_t find_word(std::string_view message, std::string_view text, std::size_t at) {
  if (text.empty()) return std::string_view::npos;
  for (at = message.find(text, at); at != std::string_view::npos; at = message.find(text, at + 1)) {
    const auto end = at + text.size();
    const bool begins = at == 0 || !is_part_of_word(message[at - 1]);
    if (begins && (end == message.size() || !is_part_of_word(message[end]))) return at;
  }
  return std::string_view::npos;
}

bool is_quoted_in(std::string_view message, std::string_view text) {
  for (auto at = message.find(text); at != std::string_view::npos; at = message.find(text, at + 1)) {
    const auto end = at + text.size();
    if (at == 0 || end >= message.size() || message[at - 1] != message[end]) continue;
    if (message[end] == '\'' || message[end] == '"' || message[end] == '`') return true;
  }
  return false;
}

}  // namespace fixpoint::runner
