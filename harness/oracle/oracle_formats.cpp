#include "harness/oracle/oracle_formats.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fixpoint::oracle {

namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kAlphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

bool consists_of(std::string_view text, std::string_view characters, std::string_view more = {}) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return characters.find(c) != std::string_view::npos || more.find(c) != std::string_view::npos;
  });
}

/// Returns true if the first and the last character are of `characters`, and those between of `characters` or
/// `inside`.
bool is_word(std::string_view text, std::string_view characters, std::string_view inside) {
  return !text.empty() && consists_of(text, characters, inside) &&
         consists_of(text.substr(0, 1), characters) && consists_of(text.substr(text.size() - 1), characters);
}

bool is_dns_subdomain(const std::string& text) {
  if (text.size() > 253) return false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    if (!is_word(std::string_view(text).substr(begin, end - begin), kLower, "-")) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

bool is_qualified_name(const std::string& text) {
  const auto slash = text.find('/');
  if (slash != std::string::npos && !is_dns_subdomain(text.substr(0, slash))) return false;
  const std::string name = slash == std::string::npos ? text : text.substr(slash + 1);
  return name.size() <= 63 && is_word(name, kAlphanumeric, "-_.");
}

bool is_label_value(const std::string& text) {
  return text.empty() || (text.size() <= 63 && is_word(text, kAlphanumeric, "-_."));
}

}  // namespace fixpoint::oracle
