#include "harness/properties/references.h"

namespace fixpoint::properties {

std::vector<std::string_view> references_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = text.find('$'); at != std::string_view::npos && at + 1 < text.size();
       at = text.find('$', at)) {
    const auto end = text[at + 1] == '(' ? text.find(')', at) : std::string_view::npos;
    if (end != std::string_view::npos) names.push_back(text.substr(at + 2, end - at - 2));
    at = end != std::string_view::npos ? end + 1 : at + (text[at + 1] == '$' ? 2 : 1);
  }
  return names;
}

bool is_defined_before(const document::Value& env, std::size_t index, std::string_view name) {
  for (std::size_t i = 0; i < index; ++i) {
    if (env.at(i)["name"].text() == name) return true;
  }
  return false;
}

std::string resolved_references(const document::Value& env, std::size_t index) {
  std::string resolved;
  for (std::string_view name : references_in(env.at(index)["value"].text())) {
    if (is_defined_before(env, index, name)) resolved.append(" $").append(name);
  }
  return resolved;
}

}  // namespace fixpoint::properties
