#include "harness/runner/learning/program_lines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "harness/document/lower_case.h"
#include "harness/runner/learning/manifest_pairs.h"
#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

namespace {

bool is_inner(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_quotation_mark(char c) { return c == '"' || c == '\'' || c == '`'; }

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}
std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

/// Returns the identifier at the end of a text.
std::string_view last_identifier(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_inner(text[text.size() - 1 - size])) ++size;
  return text.substr(text.size() - size);
}

/// Returns true if a quotation mark begins a text: an apostrophe within a word does not.
bool begins_text(std::string_view line, std::size_t at) {
  if (line[at] != '\'' || at == 0) return is_quotation_mark(line[at]);
  if (line[at - 1] == '&') return false;  // a lifetime of Rust
  const std::string_view word = last_identifier(line.substr(0, at));
  constexpr std::string_view kPrefixes = "frbuFRBU";
  return word.empty() || (word.size() <= 2 && word.find_first_not_of(kPrefixes) == std::string_view::npos);
}

std::size_t end_of_text(std::string_view line, std::size_t at) {
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != line[at]) end += line[end] == '\\' ? 2 : 1;
  return end < line.size() ? end : std::string_view::npos;
}

/// Returns true for a sign of assignment at that place: `=`, `:=`, and no comparison.
bool assigns(std::string_view line, std::size_t at) {
  if (line[at] != '=') return false;
  const char next = at + 1 < line.size() ? line[at + 1] : ' ', last = at > 0 ? line[at - 1] : ' ';
  constexpr std::string_view kOfComparisons = "=!<>+-*/|&~";
  return next != '=' && next != '~' && next != '>' && kOfComparisons.find(last) == std::string_view::npos;
}

/// Returns the names that are assigned to, from the text before the sign: without words that declare and
/// names of types.
std::vector<std::string_view> assigned_names(std::string_view text) {
  constexpr std::array<std::string_view, 22> kOthers{
      "const", "var",    "let",   "public", "private",  "protected", "internal", "static",
      "final", "export", "val",   "pub",    "string",   "String",    "str",      "readonly",
      "self",  "this",   "Final", "object", "override", "default"};
  for (const char end : {';', '{', '('})
    if (const auto at = text.rfind(end); at != std::string_view::npos) text.remove_prefix(at + 1);
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_inner(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    if (!name.empty() && std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end())
      names.push_back(name);
    at = std::max(end, at + 1);
  }
  return names;
}

/// Returns true if a lower-case name, which may be that of any variable, may stand for the value.
bool may_stand_for(std::string_view name, std::string_view value) {
  const bool is_proper = std::isupper(static_cast<unsigned char>(name.front())) != 0;
  const std::string_view domain = value.ends_with('/') ? value.substr(0, value.size() - 1) : value;
  return name.size() > 1 && (is_proper ? !value.empty() : is_prefixed_key(value) || is_domain(domain));
}

MapKind kind_of_words(std::string_view text) {
  const std::string lower = document::lower_case(text);
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (has("annot")) return MapKind::annotation;
  if (has("label")) return MapKind::label;
  if (has("limits") || has("requests") || has("resources")) return MapKind::resource;
  return has("data") && !has("metadata") ? MapKind::data : MapKind::unknown;
}

}  // namespace

ProgramLines::ProgramLines(std::span<const ProgramText> texts) : texts_(texts) {
  // Twice, since a constant may be made of one of a later file.
  for (int i = 0; i < 2; ++i) {
    for (const ProgramText& file : texts_) {
      each_of(file, [&](const ProgramLine& line) {
        declare_constants(line.text);
        if (i == 0) declare_maps(line.text);
      });
    }
  }
}

bool ProgramLines::is_code(const ProgramText& file) { return !is_manifest_text(file.path); }

const std::string* ProgramLines::constant(std::string_view name) const {
  const auto found = constants_.find(name);
  return found == constants_.end() || found->second.empty() ? nullptr : &found->second;
}

void ProgramLines::declare(std::string_view name, std::string value) {
  constexpr std::size_t kConstantsMax = 20'000, kLongest = 253;
  if (value.size() > kLongest || name.empty() || !may_stand_for(name, value)) return;
  if (const auto known = constants_.find(name); known != constants_.end()) {
    if (known->second != value && value.find('/') == std::string::npos)
      known->second.clear();
    else if (known->second.find('/') == std::string::npos)
      known->second = std::move(value);
  } else if (constants_.size() < kConstantsMax) {
    constants_.emplace(name, std::move(value));
  }
}

/// Replaces `{NAME}`, `${NAME}` and `#{NAME}` by the constant of that name.
std::string ProgramLines::filled(std::string_view text) const {
  std::string whole;
  for (std::size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    const std::string* value = constant(last_identifier(text.substr(open + 1, close - open - 1)));
    const bool has_sign = open > at && (text[open - 1] == '$' || text[open - 1] == '#');
    if (value == nullptr) {
      whole += text.substr(at, close + 1 - at);
    } else {
      whole += text.substr(at, open - at - (has_sign ? 1 : 0));
      whole += *value;
    }
    at = close + 1;
    text.remove_prefix(at);
    at = 0;
  }
  return whole.append(text);
}

std::vector<Literal> ProgramLines::literals_of(std::string_view line) const {
  std::vector<Literal> all;
  std::size_t end_of_last = 0;
  const auto take = [&](std::string text, std::size_t begin, std::size_t end, bool is_constant) {
    std::string_view before = without_blanks_behind(line.substr(0, begin));
    const bool is_sum = before.ends_with('+') && !all.empty() &&
                        without_blanks_behind(before.substr(0, before.size() - 1)).size() == end_of_last;
    end_of_last = end;
    if (is_sum) {
      all.back().text += text;
      all.back().after = line.substr(end);
      all.back().is_constant = all.back().is_constant && is_constant;
      return;
    }
    all.push_back({std::move(text), before, line.substr(end), is_constant});
  };
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_quotation_mark(line[at]) && begins_text(line, at)) {
      const auto end = end_of_text(line, at);
      if (end == std::string_view::npos) break;
      const std::string_view word = last_identifier(line.substr(0, at));
      take(filled(line.substr(at + 1, end - at - 1)), word.size() <= 2 ? at - word.size() : at, end + 1,
           false);
      at = end;
    } else if (is_inner(line[at])) {
      std::size_t end = at;
      while (end < line.size() && (is_inner(line[end]) || (line[end] == '.' && end > at))) ++end;
      const std::string* value = constant(last_identifier(line.substr(at, end - at)));
      const std::string_view after = without_blanks_before(line.substr(end));
      const bool is_declared = !after.empty() && (assigns(after, 0) || after.starts_with(":="));
      if (value != nullptr && !is_declared) take(*value, at, end, true);
      if (end < line.size() && is_quotation_mark(line[end]) && end - at <= 2) continue;
      at = end - 1;
    }
  }
  return all;
}

void ProgramLines::declare_constants(std::string_view line) {
  const std::vector<Literal> literals = literals_of(line);
  for (std::size_t i = 0; i < literals.size(); ++i) {
    const Literal& literal = literals[i];
    const std::string_view before = literal.before;
    if (before.empty()) continue;
    // NAME = get("NAME", "a.example.com"), NAME = process.env.NAME || "a.example.com"
    const bool is_default = (line.find("env") != std::string_view::npos && before.ends_with("||")) ||
                            (before.ends_with(',') && i == 1 && is_variable(literals[0].text));
    if (const auto equals = line.find('='); is_default && equals != std::string_view::npos) {
      const auto names = assigned_names(line.substr(0, equals));
      if (names.size() == 1) declare(names.front(), literal.text);
      continue;
    }
    const bool is_first_of_several = before.ends_with('(') || before.ends_with('[');
    const std::string_view sign =
        without_blanks_behind(is_first_of_several ? before.substr(0, before.size() - 1) : before);
    if (sign.ends_with(':') && is_prefixed_key(literal.text)) {
      declare(last_identifier(without_blanks_behind(sign.substr(0, sign.size() - 1))), literal.text);
      continue;
    }
    if (sign.empty() || !assigns(sign, sign.size() - 1)) continue;
    std::string_view left = sign.substr(0, sign.size() - 1);
    if (left.ends_with(':')) left.remove_suffix(1);
    if (const auto last = left.rfind('='); last != std::string_view::npos) {
      left.remove_prefix(last + 1);
      if (const auto comma = left.find(','); comma != std::string_view::npos) left.remove_prefix(comma + 1);
    }
    // NAME, OTHER = "a", "b"
    const auto names = assigned_names(left);
    const bool is_many = left.find(',') != std::string_view::npos || is_first_of_several;
    for (std::size_t j = 0; j < names.size() && i + j < literals.size(); ++j) {
      if (j > 0 && !literals[i + j].before.ends_with(',')) break;
      declare(names[j], literals[i + j].text);
      if (!is_many) break;
    }
  }
}

/// Learns which variables are the maps of a Pod: `const notes = pod.metadata.annotations || {}`.
void ProgramLines::declare_maps(std::string_view line) {
  constexpr std::size_t kMapsMax = 20'000;
  const auto declare_map = [&](std::string_view name, std::string_view value) {
    const MapKind kind = kind_of_words(value);
    if (kind != MapKind::unknown && !name.empty() && maps_.size() < kMapsMax) maps_.emplace(name, kind);
  };
  for (std::size_t at = line.find('='); at != std::string_view::npos; at = line.find('=', at + 1)) {
    if (!assigns(line, at)) continue;
    std::string_view right = line.substr(at + 1), left = line.substr(0, at);
    if (left.ends_with(':')) left.remove_suffix(1);
    const bool is_plain = std::all_of(
        left.begin(), left.end(), [](char c) { return is_inner(c) || c == ' ' || c == '\t' || c == ','; });
    const bool is_many = is_plain && left.find(',') != std::string_view::npos;
    const auto names = is_many ? assigned_names(left)
                               : std::vector<std::string_view>{last_identifier(without_blanks_behind(left))};
    for (const std::string_view name : names) {
      const auto end = std::min(right.find_first_of(",;"), right.size());
      declare_map(name, right.substr(0, end));
      right.remove_prefix(std::min(end + 1, right.size()));
    }
  }
}

MapKind ProgramLines::kind_of(std::string_view expression) const {
  constexpr std::size_t kLongest = 40;
  expression = without_blanks_behind(expression);
  const auto variable = maps_.find(last_identifier(expression));
  if (const MapKind kind = kind_of_words(last_identifier(expression)); kind != MapKind::unknown) return kind;
  if (variable != maps_.end()) return variable->second;
  if (!expression.ends_with(')') && !expression.ends_with(']')) return MapKind::unknown;
  return kind_of_words(expression.substr(expression.size() - std::min(expression.size(), kLongest)));
}

MapKind ProgramLines::map_of(const Literal& literal) const {
  std::string_view before = literal.before;
  std::string_view after = without_blanks_before(literal.after);
  if (after.starts_with("in ") || after.starts_with("not in ")) {
    after.remove_prefix(after.starts_with("in ") ? 3 : 7);
    constexpr std::string_view kOfExpressions = ".[]()\"'?";
    const auto end = std::find_if_not(after.begin(), after.end(), [&](char c) {
      return is_inner(c) || kOfExpressions.find(c) != std::string_view::npos;
    });
    after = after.substr(0, static_cast<std::size_t>(end - after.begin()));
    return after.empty()                              ? MapKind::unknown
           : kind_of_words(after) != MapKind::unknown ? kind_of_words(after)
                                                      : kind_of(after);
  }
  if (before.ends_with('[')) return kind_of(before.substr(0, before.size() - 1));
  if (!before.ends_with('(')) return MapKind::unknown;
  before.remove_suffix(1);
  const std::string_view method = last_identifier(before);
  before.remove_suffix(method.size());
  if (const MapKind kind = kind_of_words(method); kind == MapKind::label || kind == MapKind::annotation)
    return kind;
  while (!before.empty() && (before.back() == '.' || before.back() == '?' || before.back() == '!'))
    before.remove_suffix(1);
  return method.empty() || before.empty() ? MapKind::unknown : kind_of(before);
}

}  // namespace fixpoint::runner
