#include "harness/document/yaml_mistakes.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fixpoint::document {

namespace {

/// Returns the text from that line on; empty if there is none.
std::string_view from_line(std::string_view text, int line) {
  for (; line > 0; --line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text;
}

/// The parser often stops one line behind the tab.
std::optional<int> line_indented_by_tab(std::string_view text, int line) {
  for (const int one : {line, line - 1}) {
    if (one < 0) continue;
    const std::string_view rest = from_line(text, one);
    const std::string_view indentation = rest.substr(0, rest.find_first_not_of(" \t"));
    if (indentation.find('\t') != std::string_view::npos) return one;
  }
  return std::nullopt;
}

/// Returns the place of the innermost `[` or `{` that is open when the text ends, when a document does, or
/// when the other bracket would close it. Quoted texts and comments do not count.
std::optional<std::size_t> open_bracket(std::string_view text) {
  std::vector<std::size_t> open;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], before = i == 0 ? '\n' : text[i - 1];
    const bool begins_word = std::string_view(" \n\t[{,:").find(before) != std::string_view::npos;
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && begins_word) {
      quote = c;
    } else if (c == '#' && begins_word) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '-' && before == '\n' && text.substr(i, 3) == "---") {
      if (!open.empty()) break;
    } else if (c == '[' || c == '{') {
      open.push_back(i);
    } else if ((c == ']' || c == '}') && !open.empty()) {
      if (text[open.back()] != (c == ']' ? '[' : '{')) break;
      open.pop_back();
    }
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

std::string place_in(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return "line " + std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ", column " +
         std::to_string(at - (before.rfind('\n') + 1) + 1);
}

}  // namespace

std::string yaml_mistake(std::string_view text, std::string message, int line, bool is_open_part) {
  if (const auto tab = line_indented_by_tab(text, line))
    return "line " + std::to_string(*tab + 1) + " is indented with a tab: YAML takes blanks alone";
  if (is_open_part || message.find("flow") != std::string::npos)
    if (const auto at = open_bracket(text))
      return std::string("the \"") + text[*at] + "\" at " + place_in(text, *at) + " is not closed";
  return message;
}

}  // namespace fixpoint::document
