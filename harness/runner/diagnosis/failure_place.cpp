#include "harness/runner/diagnosis/failure_place.h"

#include <algorithm>

#include "harness/runner/learning/message_words.h"

namespace fixpoint::runner {

using document::Value;

namespace {

/// Returns where the message has the text as a word of its own. A short text may be a word of the message's:
/// it counts at the end alone.
std::size_t place_of_word(std::string_view message, std::string_view text) {
  auto at = find_word(message, text);
  while (at != std::string_view::npos && text.size() < kShortestNamed && at + text.size() != message.size())
    at = find_word(message, text, at + 1);
  return at;
}

std::size_t place_of_value(std::string_view message, const Value& value) {
  if (value.is_string()) return place_of_word(message, value.text());
  std::size_t first = std::string_view::npos;
  for (const Value& one : value.elements()) first = std::min(first, place_of_value(message, one));
  for (const auto& member : value.members()) first = std::min(first, place_of_value(message, member.value));
  return first;
}

std::string_view without_end(std::string_view said) {
  while (!said.empty() && (said.back() == ' ' || said.back() == ':' || said.back() == '/'))
    said.remove_suffix(1);
  return said;
}

}  // namespace

std::string place_of_failure(std::string_view message, const Value& object) {
  std::string_view said = message.substr(0, message.find_first_of("\"'`([{<0123456789"));
  const std::string_view general = without_end(said.substr(0, place_of_value(said, object)));
  // A word alone says nothing of the failure.
  said = general.find(' ') == std::string_view::npos ? without_end(said) : general;
  return said.empty() ? "webhook" : "webhook: " + std::string(said);
}

}  // namespace fixpoint::runner
