#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace fixpoint::document {

/// Returns the text with its ASCII letters in lower case.
inline std::string lower_case(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

}  // namespace fixpoint::document
