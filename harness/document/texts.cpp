#include "harness/document/texts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fixpoint::document {

bool has_text(const Value& value, std::string_view text) {
  if (value.is_string()) return value.text() == text;
  return std::ranges::any_of(value.members(), [&](const auto& one) { return has_text(one.value, text); }) ||
         std::ranges::any_of(value.elements(), [&](const Value& one) { return has_text(one, text); });
}

void replace_text(Value& value, std::string_view from, std::string_view to) {
  if (value.is_string() && value.text() == from) value = Value(to);
  for (std::size_t i = 0; i < value.elements().size(); ++i) replace_text(value.edit(i), from, to);
  std::vector<std::string> names;
  for (const auto& member : value.members()) names.emplace_back(member.key.text());
  for (const std::string& name : names) replace_text(value.edit(name), from, to);
}

}  // namespace fixpoint::document
