#include "generators/schema_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fixpoint::generators {

namespace {

using document::Value;
using runner::Choices;

struct Format {
  std::string_view name;
  const char* example;
};
constexpr std::array<Format, 11> kFormats{{{"date-time", "2026-01-02T03:04:05Z"},
                                           {"date", "2026-01-02"},
                                           {"duration", "30s"},
                                           {"byte", "dmFsdWU="},
                                           {"ipv4", "10.1.2.3"},
                                           {"ipv6", "fd00::1"},
                                           {"cidr", "10.0.0.0/16"},
                                           {"hostname", "example.com"},
                                           {"uri", "https://example.com/a"},
                                           {"email", "a@example.com"},
                                           {"uuid", "123e4567-e89b-42d3-a456-426614174000"}}};
constexpr std::array<const char*, 8> kTexts{"example", "",     "a", "true", "with \"quotes\" and\na line",
                                            "a/b:c",   "64Mi", "42"};
constexpr std::array<const char*, 4> kKeys{"app", "example.com/key", "a", "Key_2"};

std::int64_t bound_of(const Value& schema, const char* name, std::int64_t otherwise) {
  return schema[name].integer().value_or(otherwise);
}

/// Returns a bound that is not negative and at most `most`.
std::size_t size_bound(const Value& schema, const char* name, std::int64_t otherwise, std::int64_t most) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(bound_of(schema, name, otherwise), 0, most));
}

Value draw_text(Choices& choices, const Value& schema) {
  const std::string_view format = schema["format"].text();
  for (const Format& row : kFormats) {
    if (row.name == format) return row.example;
  }
  const std::size_t shortest = size_bound(schema, "minLength", 0, 64);
  const std::size_t longest = size_bound(schema, "maxLength", 1024, 1024);
  std::string text = !schema["pattern"].is_null() ? "example" : choices.pick(kTexts);
  if (text.size() < shortest) text.append(shortest - text.size(), 'a');
  if (text.size() > longest) text.resize(longest);
  return text;
}

Value draw_number(Choices& choices, const Value& schema) {
  constexpr std::int64_t kPortMax = 65535, kUsual = 8080;
  const std::int64_t least = bound_of(schema, "minimum", 0);
  const std::int64_t most = std::max(least, bound_of(schema, "maximum", std::max(least, kPortMax)));
  const std::array<std::int64_t, 4> numbers{least, std::min(least + 1, most), most,
                                            std::clamp(kUsual, least, most)};
  return choices.pick(numbers);
}

bool is_required(const Value& schema, std::string_view member) {
  const auto names = schema["required"].elements();
  return std::any_of(names.begin(), names.end(), [&](const Value& name) { return name.text() == member; });
}

Value draw_object(Choices& choices, const Value& schema, int depth_max) {
  Value object = Value::empty_object();
  for (const auto& [name, property] : schema["properties"].members()) {
    if (!is_required(schema, name.text()) && !choices.coin()) continue;
    object.set(name.name(), draw_schema_value(choices, property, depth_max - 1));
  }
  const Value& others = schema["additionalProperties"];
  if (!others.is_null() && !(others.is_boolean() && !others.is_true())) {
    for (auto left = choices.below(3); left > 0; --left)
      object.set(choices.pick(kKeys),
                 others.is_object() ? draw_schema_value(choices, others, depth_max - 1) : Value("example"));
  }
  return object;
}

Value draw_list(Choices& choices, const Value& schema, int depth_max) {
  const std::size_t least = size_bound(schema, "minItems", 0, 8);
  const std::size_t most = std::max(least, size_bound(schema, "maxItems", 2, 2));
  Value list = Value::empty_list();
  for (auto left = least + choices.below(most - least + 1); left > 0; --left)
    list.push_back(draw_schema_value(choices, schema["items"], depth_max - 1));
  return list;
}

}  // namespace

Value draw_schema_value(Choices& choices, const Value& schema, int depth_max) {
  if (!schema["enum"].empty()) return choices.pick(schema["enum"].elements());
  if (!schema["default"].is_null() && choices.coin()) return schema["default"];
  if (schema["x-kubernetes-int-or-string"].is_true()) return choices.coin() ? Value("50%") : Value(1);
  const std::string_view type = schema["type"].text();
  if (type == "boolean") return choices.coin();
  if (type == "integer" || type == "number") return draw_number(choices, schema);
  if (type == "array") return depth_max > 0 ? draw_list(choices, schema, depth_max) : Value::empty_list();
  if (type == "object")
    return depth_max > 0 ? draw_object(choices, schema, depth_max) : Value::empty_object();
  return draw_text(choices, schema);
}

}  // namespace fixpoint::generators
