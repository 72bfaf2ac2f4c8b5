#include "harness/api/json_details.h"

#include <set>
#include <stdexcept>

#include "harness/document/json.h"
#include "harness/document/pointer.h"

namespace fixpoint {

namespace {

using document::Value;

void walk(const Value& value, const std::string& pointer, std::vector<JsonDetail>& found) {
  if (value.is_number()) found.push_back({pointer, std::string(value.text())});
  for (std::size_t i = 0; i < value.size() && value.is_array(); ++i)
    walk(value.at(i), pointer + "/" + std::to_string(i), found);
  std::set<std::string, std::less<>> names;
  for (const auto& member : value.members()) {
    const std::string at = pointer + "/" + document::escape_token(member.key.text());
    if (!names.emplace(member.key.text()).second) found.push_back({at, ""});
    walk(member.value, at, found);
  }
}

}  // namespace

std::vector<JsonDetail> json_details(const std::string& text) {
  const auto value = document::read_json(text);
  if (!value) throw std::invalid_argument(value.error().text());
  std::vector<JsonDetail> found;
  walk(*value, "", found);
  return found;
}

}  // namespace fixpoint
