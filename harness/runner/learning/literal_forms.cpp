#include "harness/runner/learning/literal_forms.h"

#include <algorithm>
#include <array>

#include "harness/runner/learning/text_forms.h"

namespace fixpoint::runner {

bool has_end_of(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

bool is_way_to_maps(std::string_view text) {
  constexpr std::array<std::string_view, 8> kMembers{"metadata", "spec",     "labels",    "annotations",
                                                     "limits",   "requests", "resources", "containers"};
  return std::find(kMembers.begin(), kMembers.end(), text) != kMembers.end();
}

bool is_searched(const Literal& literal) {
  constexpr auto kCalls = std::to_array<std::string_view>(
      {"startswith(", "endswith(",   "startsWith(", "endsWith(",     "starts_with(", "ends_with(",
       "includes(",   "contains(",   "HasPrefix(",  "HasSuffix(",    "Contains(",    "indexOf(",
       "find(",       "StartsWith(", "EndsWith(",   "removeprefix(", "start_with?(", "end_with?(",
       "include?(",   "TrimPrefix(", "index("});
  std::string_view call = literal.before;
  if (call.ends_with(','))
    call = call.substr(0, call.rfind('(') == std::string_view::npos ? 0 : call.rfind('(') + 1);
  const auto is_end = [&](std::string_view one) { return call.ends_with(one); };
  return std::any_of(kCalls.begin(), kCalls.end(), is_end) || literal.after.starts_with(" in ");
}

bool is_separator(const Literal& literal) {
  constexpr auto kCalls =
      std::to_array<std::string_view>({"split(", "Split(", "SplitN(", "Cut(", "partition("});
  std::string_view call = literal.before;
  if (const auto open = call.rfind('('); call.ends_with(',') && open != std::string_view::npos)
    call = call.substr(0, open + 1);
  constexpr std::size_t kLongest = 2;
  return !literal.text.empty() && literal.text.size() <= kLongest &&
         std::any_of(kCalls.begin(), kCalls.end(), [&](std::string_view one) { return call.ends_with(one); });
}

bool is_pattern(const Literal& literal) {
  return has_end_of(literal.before,
                    {"matches(", "re.match(", "re.search(", "re.fullmatch(", "re.compile(", "RegExp(",
                     "MustCompile(", "MatchString(", "Pattern.compile(", "Regex::new(", "Regex("});
}

std::optional<std::string> with_holes_filled(std::string_view text) {
  constexpr char kFilling = '1';  // as text_matching() chooses
  constexpr std::string_view kVerbs = "sdvq";
  std::string whole;
  bool has_holes = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool has_sign = text[at] == '$' || text[at] == '#';
    const std::size_t open = has_sign ? at + 1 : at;
    const auto close =
        open < text.size() && text[open] == '{' ? text.find('}', open) : std::string_view::npos;
    const bool is_verb =
        text[at] == '%' && at + 1 < text.size() && kVerbs.find(text[at + 1]) != std::string_view::npos;
    if (close == std::string_view::npos && !is_verb) {
      whole += text[at];
      continue;
    }
    if (whole.empty()) return std::nullopt;
    whole += kFilling;
    at = is_verb ? at + 1 : close;
    has_holes = true;
  }
  return has_holes ? std::optional(whole) : std::nullopt;
}

std::vector<std::string> keys_of_table(const ProgramLine& line) {
  constexpr std::array<std::string_view, 16> kOfReviews{
      "op",       "path",  "value",     "from",    "uid",    "allowed", "response",   "status",
      "metadata", "patch", "patchType", "request", "object", "code",    "apiVersion", "name"};
  constexpr std::size_t kLongest = 32;
  std::vector<std::string> keys;
  for (const Literal& literal : line.literals) {
    const std::string& text = literal.text;
    const auto value = literal.after.find_first_not_of(": =>\t");
    const bool is_key = (literal.after.starts_with(':') || literal.after.starts_with(" =>")) &&
                        value != std::string_view::npos && !literal.is_constant &&
                        std::string_view("{[(&").find(literal.after[value]) != std::string_view::npos;
    const bool is_review = std::find(kOfReviews.begin(), kOfReviews.end(), text) != kOfReviews.end();
    if (is_key && is_name(text) && text.size() <= kLongest && !is_review && !is_field_of_pod(text))
      keys.push_back(text);
  }
  return keys;
}

}  // namespace fixpoint::runner
