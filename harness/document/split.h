#pragma once

#include <string_view>
#include <vector>

namespace fixpoint::document {

/// Returns the parts of a text between any of the separators, as views into the text.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators,
                                           bool keeps_empty = true) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find_first_of(separators);
    if (keeps_empty || !text.substr(0, end).empty()) parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace fixpoint::document
