#include "harness/properties/spellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "harness/document/lower_case.h"

namespace fixpoint::properties {

namespace {

using Group = std::vector<std::string>;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSwitches{
    {{"true", "false"}, {"yes", "no"}, {"on", "off"}, {"enabled", "disabled"}}};
constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(byte(c)));
  return upper;
}

/// 90 seconds are 1m30s, and 45 are 45000ms.
std::string other_seconds(long count) {
  if (count < 60) return std::to_string(count * 1000) + "ms";
  const long rest = count % 60;
  return std::to_string(count / 60) + "m" + (rest == 0 ? "" : std::to_string(rest) + "s");
}

/// 500m are 0.5, and 250m are 0.25.
std::string as_decimal(long thousandths) {
  std::string rest = std::to_string(1000 + thousandths % 1000).substr(1);
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  return std::to_string(thousandths / 1000) + (rest.empty() ? "" : "." + rest);
}

std::string in_another_unit(long count, std::string_view unit, bool is_processor) {
  if (count <= 0) return {};
  if (unit == "Gi") return std::to_string(count * 1024) + "Mi";
  if (unit == "Mi") return std::to_string(count * 1024) + "Ki";
  if (unit == "s") return other_seconds(count);
  if (unit == "h") return std::to_string(count * 60) + "m";
  if (unit == "m") return is_processor ? as_decimal(count) : std::to_string(count * 60) + "s";
  return {};
}

/// 1 may be a switch, and 0 may be one that is off.
std::vector<Group> numbers_alike(long number) {
  if (number < 2) return {};
  return {{std::to_string(number + 1), std::to_string(number > 2 ? number - 1 : number + 2)}};
}

std::vector<Group> levels_alike(std::string_view value) {
  const std::string level = document::lower_case(value);
  const bool is_lower = level == value;
  std::vector<Group> groups{{is_lower ? upper_case(value) : level}, {}};
  for (auto other = kLevels.rbegin(); other != kLevels.rend(); ++other) {
    if (*other == level || groups[1].size() == 2) continue;
    groups[1].push_back(is_lower ? std::string(*other) : upper_case(*other));
  }
  return groups;
}

}  // namespace

std::optional<long> whole_number(std::string_view text) {
  const bool has_digits = std::all_of(text.begin(), text.end(), [](char c) { return std::isdigit(byte(c)); });
  if (text.empty() || text.size() > 9 || !has_digits) return std::nullopt;
  long number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view name_of_key(std::string_view key) { return key.substr(key.rfind('/') + 1); }

bool is_name_of_switch(std::string_view key) {
  const std::string name = document::lower_case(name_of_key(key));
  const auto is_word = [](std::string_view word) {
    return word == "inject" || word == "injection" || word == "enable" || word == "enabled";
  };
  return is_word(std::string_view(name).substr(0, name.find_first_of("-._"))) ||
         is_word(std::string_view(name).substr(name.find_last_of("-._") + 1));
}

std::optional<SwitchWords> switch_words(std::string_view value) {
  for (const auto& [on, off] : kSwitches) {
    if (value != on && value != off) continue;
    return SwitchWords{std::string(on), std::string(off), upper_case(off.substr(0, 1)).append(off.substr(1))};
  }
  return std::nullopt;
}

std::vector<std::vector<std::string>> values_alike(std::string_view value, std::string_view key) {
  if (std::find(kLevels.begin(), kLevels.end(), document::lower_case(value)) != kLevels.end())
    return levels_alike(value);
  if (const auto number = whole_number(value)) return numbers_alike(*number);
  const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  const auto count = whole_number(value.substr(0, digits));
  if (!count) return {};
  const bool is_processor = document::lower_case(key).find("cpu") != std::string::npos;
  std::string other = in_another_unit(*count, value.substr(digits), is_processor);
  if (other.empty()) return {};
  return {{std::move(other)}};
}

bool is_misspelt(std::string_view text) {
  if (text.starts_with(' ')) return true;
  for (auto at = text.find("//"); at != std::string_view::npos; at = text.find("//", at + 1)) {
    if (at == 0 || text[at - 1] != ':') return true;
  }
  return false;
}

std::string loose_spelling(std::string_view value) {
  if (value.find_first_of(" \n{") != std::string_view::npos || is_misspelt(value)) return {};
  const bool is_list = value.find(',') != std::string_view::npos;
  const bool is_path = value.starts_with('/') || value.find("://") != std::string_view::npos;
  if (is_path && !is_list && value.size() > 1 && !value.ends_with('/')) return std::string(value) + "/";
  if (!is_list || value.find(',') + 1 == value.size()) return {};
  std::string loose;
  for (const char c : value) loose.append(c == ',' ? ", " : std::string(1, c));
  return loose;
}

}  // namespace fixpoint::properties
