#include "reports/escape.h"

#include <algorithm>
#include <cstdio>

#include "harness/document/printable.h"
#include "harness/document/utf8.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// Returns true for U+FFFE and U+FFFF, which are valid UTF-8 but no characters of XML 1.0 (2.2).
bool is_no_character(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with("\xEF\xBF\xBE") || text.substr(at).starts_with("\xEF\xBF\xBF");
}

std::string entities(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (is_no_character(text, at)) {
          out += "\\uffff";
          at += 2;
        } else {
          out += text[at];
        }
    }
  }
  return out;
}

template <class Each>
std::string by_line(std::string_view text, const Each& each) {
  std::string out;
  for (std::size_t from = 0; from <= text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    if (from > 0) out += '\n';
    out += each(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string xml_text(std::string_view text) { return entities(document::printable(text)); }

std::string xml_block(std::string_view text) {
  return by_line(text, [](std::string_view line) { return xml_text(line); });
}

std::string markdown_code(std::string_view text) {
  const std::string inner = document::printable(text);
  if (inner.empty()) return "–";
  const std::string fence(longest_run_of_backticks(inner) + 1, '`');
  const bool needs_room = inner.front() == '`' || inner.back() == '`';
  return fence + (needs_room ? " " : "") + inner + (needs_room ? " " : "") + fence;
}

std::string markdown_cell(std::string_view text) {
  std::string cell = markdown_code(text);
  replace_all(cell, "|", "\\|");
  return cell;
}

std::string markdown_block(std::string_view text, std::string_view language) {
  const std::string inner = by_line(text, [](std::string_view line) { return document::printable(line); });
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(inner) + 1), '`');
  return fence + std::string(language) + "\n" + inner + (inner.ends_with('\n') ? "" : "\n") + fence + "\n";
}

namespace {

/// Returns the JSON escape of a character of one to three bytes that controls a terminal. Such a character
/// occurs only in strings.
std::string json_escape(std::string_view bytes) {
  unsigned point = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 2) point &= 0x1F;
  if (bytes.size() == 3) point &= 0x0F;
  for (const char byte : bytes.substr(1)) point = point << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", point);
  return escape;
}

std::string json_without_steering(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, document::utf8_length(text, at));
    const std::string_view bytes = text.substr(at, length);
    const bool stays = bytes == "\n" || !document::steers(text, at, length);
    out += stays ? std::string(bytes) : json_escape(bytes);
    at += length;
  }
  return out;
}

}  // namespace

std::string json_without_commands(std::string text) {
  text = json_without_steering(text);
  // Both occur only inside strings.
  replace_all(text, "##", "#\\u0023");
  replace_all(text, "::", ":\\u003a");
  return text;
}

std::string json_in_html(std::string text) {
  replace_all(text, "<", "\\u003c");
  replace_all(text, ">", "\\u003e");
  replace_all(text, "&", "\\u0026");
  replace_all(text, "'", "\\u0027");
  return json_without_commands(std::move(text));
}

std::string uri_of_path(std::string_view path) {
  static constexpr std::string_view kUnreserved =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  while (path.starts_with("//")) path.remove_prefix(1);
  std::string uri;
  for (const char c : path) {
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += kUnreserved.find(c) != std::string_view::npos ? std::string(1, c) : escape;
  }
  return uri;
}

}  // namespace fixpoint::reports
