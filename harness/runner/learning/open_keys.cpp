#include "harness/runner/learning/open_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "harness/document/lower_case.h"
#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

constexpr std::size_t kArgumentsMax = 24, kOpenKeysMax = 12, kNameBytesMax = 32;

/// Returns the prefix of a key that ends with the value of a variable, `"example.com/" + name` or
/// `f"example.com/{name}"`; else an empty text.
std::string open_prefix(const Literal& literal, std::string_view line) {
  const auto slash = literal.text.find('/');
  if (slash == std::string::npos) return {};
  const std::string_view domain = std::string_view(literal.text).substr(0, slash);
  const bool is_of_map =
      line.find("nnotation") != std::string_view::npos || line.find("abels") != std::string_view::npos;
  if (!is_prefix_of_keys(domain) && !(is_of_map && literal.is_constant && is_name(domain))) return {};
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

bool is_of_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns the name at the end of the text, and moves the end before it.
std::string_view take_name(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_identifier(text[begin - 1])) --begin;
  const std::string_view name = text.substr(begin);
  text.remove_suffix(name.size());
  return name;
}

/// Returns the name of the function that the line begins to define: `def option(`, `func (c *Config)
/// option(`.
std::string_view defined_in(std::string_view line) {
  for (const std::string_view word : {"def ", "func ", "function ", "fn "}) {
    const auto at = line.find(word);
    // Words before it qualify the function: `pub fn`, `export async function`.
    const std::string_view words = line.substr(0, at);
    const bool is_definition =
        at != std::string_view::npos && std::all_of(words.begin(), words.end(), [](char c) {
          return c == ' ' || c == '\t' || std::islower(static_cast<unsigned char>(c)) != 0;
        });
    if (!is_definition) continue;
    std::size_t begin = at + word.size();
    if (line.substr(begin).starts_with('(')) begin = std::min(line.find(')', begin), line.size() - 1) + 1;
    const auto open = line.find('(', begin);
    if (open == std::string_view::npos) continue;
    std::string_view before = line.substr(0, open);
    return take_name(before);
  }
  return {};
}

/// Returns the name that the line gives to a function without one: `of = lambda key:`, `const of = (key) =>`,
/// `of := func(key string) string {`. Of several names, the first.
std::string_view assigned_in(std::string_view line) {
  const bool has_function =
      std::ranges::any_of(std::array<std::string_view, 4>{"lambda ", "=> ", "= func(", "= function"},
                          [&](std::string_view word) { return line.find(word) != line.npos; });
  const auto equals = line.find('=');
  if (!has_function || equals == std::string_view::npos) return {};
  std::string_view before = line.substr(0, std::min(equals, line.find(',')));
  while (!before.empty() && !is_of_identifier(before.back())) before.remove_suffix(1);
  return take_name(before);
}

/// Returns true for a word that is an argument of one of those functions: `self.option("role")`,
/// `number(notes, "port")`. Of a common name, `get`, only a method of the object's own is one.
bool is_argument(const Literal& literal, const std::set<std::string_view>& functions) {
  const auto open = literal.before.rfind('(');
  if (open == std::string_view::npos || !is_name(literal.text) || literal.text.size() > kNameBytesMax)
    return false;
  const std::string_view arguments = literal.before.substr(open + 1);
  const bool is_plain = std::all_of(arguments.begin(), arguments.end(), [](char c) {
    return is_of_identifier(c) || c == ',' || c == ' ' || c == '.';
  });
  std::string_view before = literal.before.substr(0, open);
  const std::string_view name = take_name(before);
  return is_plain && functions.contains(name) &&
         (name.size() > 3 || !before.ends_with('.') || before.ends_with("self.") ||
          before.ends_with("this."));
}

/// Returns keys of which both parts are settings of the environment, one beside the other: `prefix:
/// env.PREFIX || "a.example.com", name: env.NAME || "inject"`.
std::vector<OpenKey> keys_of_settings(const ProgramLines& lines) {
  constexpr std::size_t kLinesBetween = 2, kKeysMax = 6, kShortest = 3;
  std::vector<OpenKey> keys;
  OpenKey last;  // with the latest domain
  lines.each([&](const ProgramLine& line) {
    if (document::lower_case(line.text).find("env") == std::string::npos) return;
    for (const Literal& literal : line.literals) {
      const std::string& text = literal.text;
      if (!literal.is_constant && is_prefix_of_keys(text))
        last = {text + "/", "", line.text, line.path, line.number};
      const bool is_near = !last.prefix.empty() && line.path == last.path &&
                           line.number <= last.line + kLinesBetween && keys.size() < kKeysMax;
      const bool is_word = text.size() >= kShortest && text.size() <= kNameBytesMax &&
                           std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
      if (!is_near || !is_word || literal.is_constant || is_field_of_pod(text) || text == "true" ||
          text == "false")
        continue;
      last.name = text;
      keys.push_back(last);
    }
  });
  return keys;
}

}  // namespace

std::vector<OpenKey> open_keys_of(const ProgramLines& lines) {
  std::string prefix;
  std::string_view around, function;
  std::set<std::string_view> functions;
  lines.each([&](const ProgramLine& line) {
    if (const auto name = defined_in(line.text); !name.empty()) function = name;
    const auto assigned = assigned_in(line.text);
    for (const Literal& literal : line.literals) {
      const std::string open = open_prefix(literal, line.text);
      if (open.empty() || (!prefix.empty() && open != prefix)) continue;
      if (prefix.empty()) around = line.text;
      prefix = open;
      const auto joining = assigned.empty() ? function : assigned;
      if (!joining.empty()) functions.insert(joining);
    }
  });
  if (prefix.empty()) return keys_of_settings(lines);
  std::vector<OpenKey> keys;
  const auto take = [&](std::size_t most, const auto& is_end) {
    lines.each([&](const ProgramLine& line) {
      for (const Literal& literal : line.literals) {
        if (literal.is_constant || keys.size() >= most || !is_end(literal)) continue;
        const bool is_new = std::none_of(keys.begin(), keys.end(),
                                         [&](const OpenKey& one) { return one.name == literal.text; });
        if (is_new && lines.map_of(literal) == MapKind::unknown)
          keys.push_back({prefix, literal.text, around, line.path, line.number});
      }
    });
  };
  take(kArgumentsMax, [&](const Literal& literal) { return is_argument(literal, functions); });
  take(std::max(keys.size(), kOpenKeysMax),
       [](const Literal& literal) { return is_word_of_several(literal.text); });
  return keys;
}

}  // namespace fixpoint::runner
