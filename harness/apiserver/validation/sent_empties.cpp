#include "harness/apiserver/validation/sent_empties.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "harness/apiserver/validation/checks.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::validation {

namespace {

using document::Name;
using document::Value;

constexpr std::string_view kHead = "Invalid value: ";

bool is_empty(const Value& value) { return (value.is_array() || value.is_object()) && value.empty(); }

bool has_empty(const Value& value) {
  if (is_empty(value)) return true;
  const auto elements = value.elements();
  const auto members = value.members();
  return std::any_of(elements.begin(), elements.end(), has_empty) ||
         std::any_of(members.begin(), members.end(), [](const auto& one) { return has_empty(one.value); });
}

/// The value at the path of an error: `spec.containers[0].resources.limits[cpu]`.
const Value& value_at(const Value& root, std::string_view field) {
  const Value* at = &root;
  while (!field.empty()) {
    if (field.front() == '.') field.remove_prefix(1);
    const bool is_key = !field.empty() && field.front() == '[';
    const std::size_t end = is_key ? field.find(']') : std::min(field.find_first_of(".["), field.size());
    if (end == std::string_view::npos) break;
    const std::string_view name = field.substr(is_key ? 1 : 0, end - (is_key ? 1 : 0));
    std::size_t index = 0;
    if (at->is_array() && std::from_chars(name.data(), name.data() + name.size(), index).ec == std::errc())
      at = &at->at(index);
    else
      at = &(*at)[Name(name)];
    field.remove_prefix(end + (is_key ? 1 : 0));
  }
  return *at;
}

/// The member of that name; a Go struct may print it in another case.
const Value& member_like(const Value& sent, std::string_view printed) {
  static const Value none;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const auto& [key, value] : sent.members()) {
    const std::string_view name = key.text();
    if (std::equal(name.begin(), name.end(), printed.begin(), printed.end(),
                   [&](char a, char b) { return lower(a) == lower(b); }))
      return value;
  }
  return none;
}

Value with_empties(Value printed, const Value& sent) {
  if (printed.is_null()) return is_empty(sent) ? sent : printed;
  if (printed.is_object()) {
    for (auto& [key, value] : printed.edit_members())
      value = with_empties(std::move(value), member_like(sent, key.text()));
  } else if (printed.is_array() && printed.size() == sent.size()) {
    for (std::size_t i = 0; i < sent.size(); ++i) printed.edit(i) = with_empties(printed.at(i), sent.at(i));
  }
  return printed;
}

}  // namespace

void forgive_written_amounts(std::vector<FieldError>& errors, const Value& spec) {
  std::erase_if(errors, [&](const FieldError& error) {
    constexpr std::string_view kSaid = " is not positive integer multiple of hugepages-";
    if (error.message.find(kSaid) == std::string::npos) return false;
    const Value pod{{"spec", spec}};
    const std::size_t name = error.field.rfind('[') + 1;
    const std::string resource = error.field.substr(name, error.field.size() - name - 1);
    const Value* written = &value_at(pod, error.field);
    std::string limits = error.field;
    const std::size_t place = limits.rfind(".requests[");
    if (written->is_null() && place != std::string::npos)  // absent requests become those of the limits
      written = &value_at(pod, limits.replace(place, std::string_view(".requests").size(), ".limits"));
    return !written->is_null() && is_divisible_hugepage(resource, *written);
  });
}

void show_sent_empties(std::vector<FieldError>& errors, const Value& sent) {
  for (FieldError& error : errors) {
    const std::string_view message = error.message;
    if (!message.starts_with(kHead)) continue;
    const std::string_view value = message.substr(kHead.size());
    const bool is_composed = value.starts_with('{') || value.starts_with('[') || value.starts_with("null");
    const Value& at = value_at(sent, error.field);
    if (!is_composed || !has_empty(at)) continue;
    std::size_t end = 0;
    const auto printed = document::read_json_at(value, end, {}, document::Strictness::foreign);
    if (!printed) continue;
    error.message = std::string(kHead) + document::write_go_json(with_empties(*printed, at)) +
                    std::string(value.substr(end));
  }
}

}  // namespace fixpoint::apiserver::validation
