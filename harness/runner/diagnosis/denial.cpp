#include "harness/runner/diagnosis/denial.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/document/lower_case.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

namespace {

using document::Value;

constexpr std::size_t kShortest = 3;  ///< a shorter text may stand in any message

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Returns true if the message has the text as whole words.
bool names(std::string_view message, std::string_view text) {
  if (text.size() < kShortest) return false;
  for (auto at = message.find(text); at != std::string_view::npos; at = message.find(text, at + 1)) {
    const auto end = at + text.size();
    const bool begins = at == 0 || !is_part_of_word(message[at - 1]);
    if (begins && (end == message.size() || !is_part_of_word(message[end]))) return true;
  }
  return false;
}

/// Returns true for a number with a unit or without, such as 10k, 1.5Gi, 30s, 1h30m, and for the words of a
/// switch.
bool is_legal_everywhere(std::string_view value) {
  static constexpr auto kSwitches =
      std::to_array<std::string_view>({"true", "false", "yes", "no", "on", "off", "enabled", "disabled"});
  const std::string lower = document::lower_case(value);
  if (std::ranges::find(kSwitches, lower) != kSwitches.end()) return true;
  constexpr std::size_t kLongestUnit = 2;
  std::size_t letters = 0;
  bool has_digit = false;
  for (const char c : value) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    has_digit = has_digit || std::isdigit(static_cast<unsigned char>(c)) != 0;
    letters = is_letter ? letters + 1 : 0;
    if ((is_letter && !has_digit) || letters > kLongestUnit) return false;
    if (!is_letter && std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '+' && c != '-')
      return false;
  }
  return has_digit;
}

/// Returns true if a message names something that the object refers to; containers, which it has, aside.
bool names_reference(const Value& value, std::string_view message) {
  if (value.is_string()) return names(message, value.text());
  if (std::ranges::any_of(value.elements(), [&](const Value& one) { return names_reference(one, message); }))
    return true;
  return std::ranges::any_of(value.members(), [&](const auto& member) {
    if (!is_list_of_containers(member.key.text())) return names_reference(member.value, message);
    const auto elements = member.value.elements();
    return std::ranges::any_of(elements, [&](Value one) {
      one.remove("name");
      one.remove("image");
      return names_reference(one, message);
    });
  });
}

}  // namespace

bool is_refusal_by_design(const Value& object, std::string_view message) {
  for (const char* map : {"annotations", "labels"})
    for (const auto& one : object["metadata"][document::Name(map)].members())
      if ((names(message, one.key.text()) || names(message, one.value.text())) &&
          !is_legal_everywhere(one.value.text()))
        return true;
  return message.find("not found") != std::string_view::npos && names_reference(object, message);
}

}  // namespace fixpoint::runner
