#pragma once

#include <string>
#include <string_view>

namespace fixpoint::document {

/// Returns the texts one after the other, with the separator between them.
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string all;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) all.append(separator);
    all.append(text);
    is_first = false;
  }
  return all;
}

}  // namespace fixpoint::document
