#include "harness/document/go_print.h"

#include <algorithm>
#include <vector>

#include "harness/document/go_number.h"

namespace fixpoint::document {

std::string go_plain(const Value& value,
                     const std::function<std::optional<std::string>(const Value&)>& own_text) {
  if (value.is_null()) return "<nil>";
  if (own_text)
    if (auto text = own_text(value)) return *std::move(text);
  if (value.is_array()) {
    std::string text = "[";
    for (const Value& element : value.elements())
      text.append(&element == &value.elements().front() ? "" : " ").append(go_plain(element, own_text));
    return text + "]";
  }
  if (value.is_object()) {
    std::vector<Member> members(value.members().begin(), value.members().end());
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.key.text() < b.key.text(); });
    std::string text = "map[";
    for (const Member& member : members)
      text.append(&member == &members.front() ? "" : " ")
          .append(member.key.text())
          .append(":")
          .append(go_plain(member.value, own_text));
    return text + "]";
  }
  if (value.is_boolean()) return value.is_true() ? "true" : "false";
  return value.is_string() || value.integer() ? std::string(value.text())
                                              : go_float_text(value.real().value_or(0));
}

std::string_view go_type_name(const Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_array()) return "[]interface {}";
  if (value.is_object()) return "map[string]interface {}";
  return value.integer() ? "int64" : "float64";
}

}  // namespace fixpoint::document
