#include "injectors/kserve/go_json.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/document/json.h"

namespace fixpoint::injectors::kserve {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

const GoField* find_field(std::span<const GoField> fields, std::string_view name, int release) {
  const GoField* folded = nullptr;
  for (const GoField& field : fields) {
    if (field.since > release) continue;
    if (field.name.text == name) return &field;
    if (folded == nullptr && equal_but_for_case(field.name.text, name)) folded = &field;
  }
  return folded;
}

bool put_texts(const Value& json, Value& into) {
  if (!json.is_object()) return false;
  if (into.is_null()) into = Value::empty_object();
  for (const auto& member : json.members()) {
    if (!member.value.is_string() && !member.value.is_null()) return false;
    into.set(member.key.name(), member.value.text());
  }
  return true;
}

bool put_members(const Value& json, std::span<const GoField> fields, int release, Value& into);

bool put(const Value& json, const GoField& field, int release, Value& into) {
  switch (field.kind) {
    case GoKind::text:
      if (!json.is_string()) return false;
      break;
    case GoKind::boolean:
      if (!json.is_boolean()) return false;
      break;
    case GoKind::integer:
      if (!json.integer()) return false;
      break;
    case GoKind::texts:
      return put_texts(json, into.edit(field.name));
    case GoKind::object:
      return put_members(json, field.fields, release, into.edit(field.name));
  }
  into.set(field.name, json.is_string() ? Value(json.text()) : json);
  return true;
}

bool put_members(const Value& json, std::span<const GoField> fields, int release, Value& into) {
  if (!json.is_object()) return false;
  if (into.is_null()) into = Value::empty_object();
  for (const auto& member : json.members()) {
    const GoField* field = find_field(fields, member.key.text(), release);
    if (field == nullptr || member.value.is_null()) continue;
    if (!put(member.value, *field, release, into)) return false;
  }
  return true;
}

document::Result<Value> read(std::string_view text) {
  return document::read_json(text, {}, document::Strictness::foreign);
}

}  // namespace

std::optional<Value> fill(const Value& json, std::span<const GoField> fields, int release) {
  if (json.is_null()) return Value();
  Value into = Value::empty_object();
  if (!put_members(json, fields, release, into)) return std::nullopt;
  return into;
}

std::optional<Value> unmarshal(std::string_view text, std::span<const GoField> fields, int release) {
  const auto json = read(text);
  if (!json) return std::nullopt;
  return fill(*json, fields, release);
}

std::optional<Value> unmarshal_texts(std::string_view text) {
  const auto json = read(text);
  if (!json) return std::nullopt;
  if (json->is_null()) return Value();
  Value into;
  if (!put_texts(*json, into)) return std::nullopt;
  return into;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
