#include "harness/document/printable.h"

#include <cstdio>

#include "harness/document/utf8.h"

namespace fixpoint::document {

namespace {

/// Returns true if a command to a build server begins here: `##[`, `##vso[` and `##teamcity[` anywhere, `::`
/// after nothing but blanks (Azure Pipelines, TeamCity and GitHub Actions, logging commands).
bool begins_command(std::string_view text, std::size_t at) {
  if (text[at] == ':') {
    return text.substr(at).starts_with("::") && text.find_first_not_of(' ') == at;
  }
  if (!text.substr(at).starts_with("##")) return false;
  const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 2);
  return end != std::string_view::npos && text[end] == '[';
}

}  // namespace

bool steers(std::string_view text, std::size_t at, std::size_t length) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x20 || c == 0x7F) return true;
  if (length == 2 && c == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0) return true;
  if (length != 3 || c != 0xE2) return false;
  const auto second = static_cast<unsigned char>(text[at + 1]),
             third = static_cast<unsigned char>(text[at + 2]);
  return (second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE))) ||
         (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length > 0 && !steers(text, at, length) && !begins_command(text, at)) {
      out.append(text.substr(at, length));
      at += length;
      continue;
    }
    for (std::size_t i = 0; i < (length == 0 ? 1 : length); ++i, ++at) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(text[at]));
      out += escape;
    }
  }
  return out;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", seconds);
  return text;
}

}  // namespace fixpoint::document
