#include "harness/runner/learning/member_values.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

constexpr std::size_t kMembersMax = 200, kValuesMax = 8, kTextBytesMax = 64;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns the letters and digits of a name, in lower case.
std::string spelling_of(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_' && c != '-') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

std::string_view without_blanks(std::string_view text) {
  const auto end = text.find_last_not_of(" \t");
  return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

/// Removes one of the ends, and returns true if the text had it.
bool cut_end(std::string_view& text, std::initializer_list<std::string_view> ends) {
  for (const std::string_view end : ends) {
    if (!text.ends_with(end)) continue;
    text = without_blanks(text.substr(0, text.size() - end.size()));
    return true;
  }
  return false;
}

/// Returns the name at the end of an expression: `Mode` of `cr.Spec.Mode`.
std::string_view last_name(std::string_view expression) {
  while (cut_end(expression, {")", "!", "?"})) {
  }
  std::size_t begin = expression.size();
  while (begin > 0 && is_word(expression[begin - 1])) --begin;
  return expression.substr(begin);
}

/// Returns true for a literal by which a member is looked up: `spec["mode"]`, `spec.get("mode", …)`.
bool is_lookup(const Literal& literal) {
  std::string_view before = literal.before;
  return cut_end(before, {"[", "get(", "Get(", "fetch(", "dig("});
}

class Members {
 public:
  explicit Members(Vocabulary& words) : words_(words) {}

  void read(const ProgramLine& line) {
    note_names(line);
    read_lists(line);
    note_list(line);
    std::string_view looked_up;
    for (const Literal& literal : line.literals) {
      note_map_key(literal);
      if (is_lookup(literal)) {
        looked_up = literal.text;
        continue;
      }
      const std::string member = member_before(literal, line, looked_up);
      if (!member.empty() && literal.text.size() <= kTextBytesMax)
        learn_member_value(words_, member, literal.text);
    }
  }

 private:
  /// Names that stand for members on later lines: `mode = spec.get("mode")`, `switch spec.mode {`.
  void note_names(const ProgramLine& line) {
    std::string_view text = line.text;
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return;
    text.remove_prefix(first);
    for (const char* word : {"switch ", "match "}) {
      if (!text.starts_with(word)) continue;
      std::string_view subject = without_blanks(text.substr(std::string_view(word).size()));
      cut_end(subject, {"{", ":"});
      switched_ = line.literals.empty() ? std::string(last_name(subject)) : line.literals.back().text;
    }
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || line.literals.empty()) return;
    std::string_view left = without_blanks(text.substr(0, equals));
    cut_end(left, {":"});
    const auto& found = std::find_if(line.literals.begin(), line.literals.end(), is_lookup);
    if (found != line.literals.end() && names_.size() < kMembersMax)
      names_.insert_or_assign(std::string(last_name(left)), found->text);
  }

  /// A constant, or a name that is looked up, may be the key of a map.
  void note_map_key(const Literal& literal) {
    constexpr std::size_t kKeysMax = 24;
    auto& keys = words_.map_keys;
    const bool is_key = (literal.is_constant || is_lookup(literal)) && is_name(literal.text) &&
                        literal.text.size() <= kTextBytesMax && !is_field_of_pod(literal.text);
    if (is_key && keys.size() < kKeysMax && std::find(keys.begin(), keys.end(), literal.text) == keys.end())
      keys.push_back(literal.text);
  }

  /// Lists that later lines look through: `KNOWN = ("a", "b")`, `const KNOWN = new Set(["a"])`.
  void note_list(const ProgramLine& line) {
    const auto equals = line.text.find('=');
    if (equals == std::string_view::npos || line.text.substr(equals + 1).starts_with('=')) return;
    std::string_view left = without_blanks(line.text.substr(0, equals));
    cut_end(left, {":"});
    std::vector<std::string> elements;
    for (const Literal& literal : line.literals) {
      std::string_view before = literal.before;
      const bool is_element = cut_end(before, {"(", "[", "{", ","}) && !literal.after.starts_with(':');
      if (is_element && literal.text.size() <= kTextBytesMax) elements.push_back(literal.text);
    }
    const std::string name(last_name(left));
    if (elements.empty() || name.size() < 2 || lists_.size() >= kMembersMax) return;
    lists_.insert_or_assign(name, std::move(elements));
  }

  /// `container["name"] in KNOWN`, `KNOWN.includes(container.name)`.
  void read_lists(const ProgramLine& line) {
    for (const auto& [list, elements] : lists_) {
      const std::string member = member_looked_for(line, list);
      if (member.empty()) continue;
      for (const std::string& element : elements) learn_member_value(words_, member, element);
    }
  }

  static std::string member_looked_for(const ProgramLine& line, const std::string& list) {
    const auto at = line.text.find(list);
    if (at == std::string_view::npos) return {};
    std::string_view before = line.text.substr(0, at), after = line.text.substr(at + list.size());
    if (!after.empty() && is_word(after.front())) return {};
    if (cut_end(before, {" in "})) {
      cut_end(before, {"not"});
      for (const Literal& literal : line.literals)
        if (is_lookup(literal) && cut_end(before, {literal.text + "\"]", literal.text + "']"}))
          return literal.text;
      return std::string(last_name(before));
    }
    for (const std::string_view call : {".includes(", ".has(", ".contains("}) {
      if (!after.starts_with(call)) continue;
      const std::string_view argument = after.substr(call.size(), after.find(')') - call.size());
      return std::string(last_name(argument));
    }
    return {};
  }

  /// Returns the member with which the literal is compared; empty if it is with none.
  std::string member_before(const Literal& literal, const ProgramLine& line, std::string_view looked_up) {
    std::string_view before = without_blanks(literal.before);
    if (before.ends_with("case")) return switched_;
    if (before.ends_with(',') || before.ends_with("(") || before.ends_with("[")) {
      // A further element of `in ("a", "b")`, `case "a", "b":`, `["a", "b"].includes(spec.mode)`.
      const auto in = line.text.find(" in ");
      const bool is_case = line.text.find("case ") != std::string_view::npos;
      if (is_case) return switched_;
      if (in == std::string_view::npos || line.text.data() + in > literal.before.data() + before.size())
        return {};
      before = without_blanks(line.text.substr(0, in));
      cut_end(before, {"not"});
    } else if (!cut_end(before, {"===", "!==", "==", "!=", ".equals(", ".Equal("})) {
      return {};
    }
    if (!looked_up.empty() && !before.empty() && !is_word(before.back())) return std::string(looked_up);
    const std::string_view name = last_name(before);
    const auto known = names_.find(std::string(name));
    return known != names_.end() ? known->second : std::string(name);
  }

  Vocabulary& words_;
  std::string switched_ = {};                                   ///< the member of the last switch
  std::map<std::string, std::string, std::less<>> names_ = {};  ///< members by the names of variables
  std::map<std::string, std::vector<std::string>> lists_ = {};
};

/// Names that the program compares with may be those of containers.
void learn_container_names(Vocabulary& words) {
  constexpr std::size_t kNamesMax = 6;
  const auto* names = values_of_member(words, "name");
  if (names == nullptr) return;
  std::size_t taken = 0;
  for (const std::string& name : *names) {
    const bool is_plain =
        is_name(name) && std::ranges::all_of(name, [](char c) { return is_lower_or_digit(c) || c == '-'; });
    if (!is_plain || ++taken > kNamesMax) continue;
    for (const NameKind kind : {NameKind::container, NameKind::init_container})
      learn_container_name(words, kind, Value(name));
  }
}

}  // namespace

void learn_member_values(Vocabulary& words, const ProgramLines& lines) {
  Members members(words);
  lines.each([&](const ProgramLine& line) { members.read(line); });
  learn_container_names(words);
}

void learn_member_value(Vocabulary& words, std::string_view member, std::string_view value) {
  const std::string spelling = spelling_of(member);
  auto& all = words.member_values;
  auto there = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == spelling; });
  if (there == all.end()) {
    if (all.size() >= kMembersMax || spelling.empty()) return;
    there = all.insert(all.end(), {spelling, {}});
  }
  auto& values = there->second;
  if (values.size() < kValuesMax && std::find(values.begin(), values.end(), value) == values.end())
    values.emplace_back(value);
}

const std::vector<std::string>* values_of_member(const Vocabulary& words, std::string_view name) {
  const std::string spelling = spelling_of(name);
  for (const auto& [member, values] : words.member_values)
    if (member == spelling) return &values;
  return nullptr;
}

void learn_named_members(Vocabulary& words, const ProgramLines& lines) {
  constexpr std::size_t kFewWords = 400, kShortest = 3;
  std::set<std::string> named;
  lines.each([&](const ProgramLine& line) {
    for (auto at = line.text.begin(); at != line.text.end() && named.size() <= kFewWords;) {
      const auto begin = std::find_if(at, line.text.end(), is_word);
      at = std::find_if_not(begin, line.text.end(), is_word);
      if (static_cast<std::size_t>(at - begin) >= kShortest)
        named.insert(spelling_of(std::string_view(begin, at)));
    }
  });
  if (named.size() <= kFewWords) words.named.assign(named.begin(), named.end());
}

bool names_member(const Vocabulary& words, std::string_view name) {
  return !words.named.empty() && std::ranges::binary_search(words.named, spelling_of(name));
}

}  // namespace fixpoint::runner
