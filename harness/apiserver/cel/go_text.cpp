#include "harness/apiserver/cel/go_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

std::string go_quote(std::string_view text) {
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\\"", kNames = "abfnrtv\\\"";
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = document::utf8_length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    std::array<char, 8> code{};
    if (const std::size_t at = kValues.find(text[i]); at != std::string_view::npos) {
      result += '\\';
      result += kNames[at];
    } else if (length == 0 || c < 0x20 || c == 0x7F) {
      std::snprintf(code.data(), code.size(), "\\x%02x", c);
      result += code.data();
    } else {
      result += text.substr(i, length);
    }
    i += std::max<std::size_t>(1, length);
  }
  return result + "\"";
}

}  // namespace fixpoint::apiserver::cel
