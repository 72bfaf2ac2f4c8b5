#include "harness/runner/learning/open_keys.h"

#include <algorithm>
#include <cctype>

#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

constexpr std::size_t kOpenKeysMax = 12, kNameBytesMax = 32;

/// Returns the prefix of a key that ends with the value of a variable, `"example.com/" + name` or
/// `f"example.com/{name}"`; else an empty text.
std::string open_prefix(const Literal& literal) {
  const auto slash = literal.text.find('/');
  if (slash == std::string::npos || !is_domain(literal.text.substr(0, slash))) return {};
  const std::string_view prefix = std::string_view(literal.text).substr(0, slash + 1),
                         end = std::string_view(literal.text).substr(slash + 1);
  const auto next = literal.after.find_first_not_of(' ');
  const bool is_joined = end.empty() && next != std::string_view::npos && literal.after[next] == '+';
  const bool is_hole = end.size() > 2 && end.back() == '}' && (end.front() == '{' || end.starts_with("${")) &&
                       end.find('{', 2) == std::string_view::npos;
  // A parameter with the name of a variable elsewhere: `key = PREFIX + "a"`, `lambda key: notes[PREFIX +
  // key]`.
  const bool is_twice = end.starts_with(prefix);
  return is_joined || is_hole || is_twice ? std::string(prefix) : std::string();
}

/// Returns true for a word of several: proxy-port, proxyCPU. A single one may mean anything.
bool is_word_of_several(std::string_view word) {
  const auto is_inner = [](char c) { return c == '-' || std::isupper(static_cast<unsigned char>(c)) != 0; };
  return word.size() > 3 && word.size() <= kNameBytesMax &&
         std::islower(static_cast<unsigned char>(word.front())) != 0 && is_name(word) &&
         std::any_of(word.begin() + 1, word.end(), is_inner) && !is_field_of_pod(word);
}

}  // namespace

std::vector<OpenKey> open_keys_of(const ProgramLines& lines) {
  std::string prefix;
  std::string_view around;
  lines.each([&](const ProgramLine& line) {
    for (const Literal& literal : line.literals) {
      if (!prefix.empty()) return;
      prefix = open_prefix(literal);
      around = line.text;
    }
  });
  std::vector<OpenKey> keys;
  if (prefix.empty()) return keys;
  lines.each([&](const ProgramLine& line) {
    for (const Literal& literal : line.literals) {
      if (literal.is_constant || keys.size() == kOpenKeysMax || !is_word_of_several(literal.text)) continue;
      const bool is_new = std::none_of(keys.begin(), keys.end(),
                                       [&](const OpenKey& one) { return one.name == literal.text; });
      if (is_new && lines.map_of(literal) == MapKind::unknown)
        keys.push_back({prefix, literal.text, around, line.path, line.number});
    }
  });
  return keys;
}

}  // namespace fixpoint::runner
