#include "harness/runner/learning/field_path.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace fixpoint::runner {

namespace {

using document::Error;
using document::Result;
using document::Value;

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool is_plain(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c); });
}

Error no_path(std::string_view text) {
  return Error{"expected a path such as spec.serviceAccountName or spec.containers[*].name, found \"" +
               std::string(text) + "\""};
}

/// The step in brackets: an element, or a quoted member.
Result<FieldStep> bracketed(std::string_view inside, std::string_view text) {
  const bool is_index = !inside.empty() && std::all_of(inside.begin(), inside.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; });
  if (inside == "*" || is_index) return FieldStep{.is_element = true};
  const char quote = inside.empty() ? '\0' : inside.front();
  if (inside.size() < 3 || (quote != '\'' && quote != '"') || inside.back() != quote) return no_path(text);
  return FieldStep{.member = std::string(inside.substr(1, inside.size() - 2))};
}

}  // namespace

Result<FieldPath> parse_field_path(std::string_view text) {
  FieldPath path;
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest.front() == '[' && !path.empty()) {
      const auto end = rest.find(']');
      if (end == std::string_view::npos) return no_path(text);
      auto step = bracketed(rest.substr(1, end - 1), text);
      if (!step) return std::move(step).error();
      path.push_back(*std::move(step));
      rest.remove_prefix(end + 1);
      continue;
    }
    if (!path.empty()) {
      if (rest.front() != '.') return no_path(text);
      rest.remove_prefix(1);
    }
    const std::string_view name = rest.substr(0, std::min(rest.find_first_of(".["), rest.size()));
    if (!is_plain(name)) return no_path(text);
    path.push_back({.member = std::string(name)});
    rest.remove_prefix(name.size());
  }
  if (path.empty()) return no_path(text);
  return path;
}

std::string write_field_path(const FieldPath& path) {
  std::string text;
  for (const FieldStep& step : path) {
    if (step.is_element)
      text += "[*]";
    else if (!is_plain(step.member))
      text += "['" + step.member + "']";
    else
      text += (text.empty() ? "" : ".") + step.member;
  }
  return text;
}

std::vector<Value> values_at(const Value& object, const FieldPath& path) {
  std::vector<Value> values{object};
  for (const FieldStep& step : path) {
    std::vector<Value> next;
    for (const Value& value : values) {
      if (step.is_element) {
        next.insert(next.end(), value.elements().begin(), value.elements().end());
      } else if (const Value* member = value.find(step.member)) {
        next.push_back(*member);
      }
    }
    values = std::move(next);
  }
  return values;
}

void set_field(Value& object, const FieldPath& path, const Value& value) {
  Value* at = &object;
  for (const FieldStep& step : path) {
    if (step.is_element) {
      if (!at->is_array()) *at = Value::empty_list();
      if (at->empty()) at->push_back({});
      at = &at->edit(std::size_t{0});
    } else {
      if (!at->is_object()) *at = Value::empty_object();
      at = &at->edit(step.member);
    }
  }
  *at = value;
}

}  // namespace fixpoint::runner
