#include "harness/document/shell_word.h"

#include <algorithm>
#include <cctype>

namespace fixpoint::document {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "-_./:=@%+,";
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace fixpoint::document
