#include "generators/schema_values.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "generators/boundary_values.h"
#include "generators/pod_parts.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/pattern_text.h"
#include "harness/runner/learning/plain_schemas.h"
#include "harness/runner/learning/usual_texts.h"

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
/// Texts for a schema with a pattern: names, paths, quantities, versions, hosts.
constexpr std::array<const char*, 12> kShaped{
    "example",     "64Mi", "100m",        "1", "/example", "example.com/key", "https://example.com/a",
    "example:1.2", "v1",   "10.0.0.0/16", "a", "A_1"};
constexpr std::array<const char*, 4> kKeys{"app", "example.com/key", "a", "Key_2"};
/// Texts where no schema says of which form.
constexpr std::array<const char*, 4> kFreeTexts{"a=b", "c=d", "example", ""};
constexpr std::array<const char*, 4> kResourceNames{"cpu", "memory", "ephemeral-storage", "example.com/gpu"};

/// Returns true for the pattern that Kubernetes' own tools write for a quantity. It takes more than the type
/// does (1e.5), and a client that cannot decode one object of a list takes none of it.
bool is_of_quantity(const Value& schema) {
  return schema["pattern"].text().find("numkMGTPE") != std::string_view::npos;
}

std::int64_t bound_of(const Value& schema, const char* name, std::int64_t otherwise) {
  return schema[name].integer().value_or(otherwise);
}

/// Returns a bound that is not negative and at most `most`.
std::size_t size_bound(const Value& schema, const char* name, std::int64_t otherwise, std::int64_t most) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(bound_of(schema, name, otherwise), 0, most));
}

/// Returns the texts that match the pattern, an expression that a server applies unanchored.
std::vector<const char*> shaped_as(std::string_view pattern) {
  const re2::RE2 expression({pattern.data(), pattern.size()}, re2::RE2::Quiet);
  std::vector<const char*> matching;
  for (const char* text : kShaped) {
    if (expression.ok() && re2::RE2::PartialMatch(text, expression)) matching.push_back(text);
  }
  return matching;
}

/// Returns the text with so many characters, if the pattern takes it then: what a schema allows may be longer
/// than a label's value or a name.
std::string stretched(const std::string& text, std::size_t size, std::string_view pattern) {
  if (text.empty() || text.size() >= size) return text;
  const re2::RE2 expression({pattern.data(), pattern.size()}, re2::RE2::Quiet);
  for (const std::size_t at : {std::size_t{1}, text.size()}) {
    std::string longer = text;
    longer.insert(at, size - text.size(), 'a');
    if (expression.ok() && re2::RE2::PartialMatch(longer, expression)) return longer;
  }
  return text;
}

Value draw_short_text(Choices& choices, const Value& schema, std::size_t longest) {
  const std::size_t shortest = size_bound(schema, "minLength", 0, 64);
  if (const std::string_view pattern = schema["pattern"].text(); !pattern.empty()) {
    // Plain texts first: a reader knows them.
    const auto shaped = shaped_as(pattern);
    if (!shaped.empty() && choices.coin()) return choices.pick(shaped);
    if (is_of_quantity(schema)) return boundary_quantity(choices, false);
    if (auto text = runner::draw_matching(choices, pattern, longest)) return *std::move(text);
    if (!shaped.empty()) return choices.pick(shaped);
  }
  std::string text = choices.pick(kTexts);
  if (text.size() < shortest) text.append(shortest - text.size(), 'a');
  if (text.size() > longest) text.resize(longest);
  return text;
}

Value draw_text(Choices& choices, const Value& schema) {
  const std::string_view format = schema["format"].text();
  for (const Format& row : kFormats) {
    if (row.name == format) return row.example;
  }
  constexpr std::size_t kLabelMax = 63, kNameMax = 253;
  constexpr std::uint64_t kOneInLong = 12;
  const std::size_t longest = size_bound(schema, "maxLength", 1024, 1024);
  Value text = draw_short_text(choices, schema, longest);
  if (longest <= kLabelMax || !choices.one_in(kOneInLong)) return text;
  const std::size_t size = choices.coin() ? kLabelMax + 1 : std::min(longest, kNameMax);
  return stretched(std::string(text.text()), size, schema["pattern"].text());
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

SchemaDraw below(const SchemaDraw& how) { return {how.depth_max - 1, how.optional_one_in, how.words}; }

/// Draws a member: of an open text often a value with which the webhook compares a member of that name, or
/// what its name promises, or at times any text that the webhook compares.
Value draw_member(Choices& choices, std::string_view name, const Value& schema, const SchemaDraw& how) {
  const bool is_open =
      schema["type"].text() == "string" && schema["enum"].empty() && schema["format"].text().empty();
  if (is_open && how.words != nullptr) {
    const auto* values = runner::values_of_member(*how.words, name);
    if (values != nullptr && choices.coin()) return choices.pick(*values);
    constexpr std::uint64_t kOneInAny = 6;
    const auto& fragments = how.words->names[runner::NameKind::fragment];
    if (!how.words->texts.empty() && choices.one_in(kOneInAny)) return choices.pick(how.words->texts);
    if (!fragments.empty() && choices.one_in(kOneInAny))
      return std::string(choices.pick(fragments).text()) + (choices.coin() ? "" : "example");
  }
  if (is_open && schema["pattern"].is_null()) {
    const auto usual = runner::usual_texts(name, schema["description"].text());
    if (!usual.texts.empty() && (usual.are_typed || choices.coin())) return choices.pick(usual.texts);
  }
  return draw_schema_value(choices, schema, below(how));
}

/// Below the first levels members are fewer: definitions have thousands of them there.
std::uint64_t chance_of(const SchemaDraw& how) {
  constexpr int kFullLevels = 2;
  const int levels = SchemaDraw().depth_max - how.depth_max;
  return static_cast<std::uint64_t>(how.optional_one_in + std::max(0, levels - kFullLevels));
}

/// Returns true if the program names the member and others lie below it.
bool is_named_way(const SchemaDraw& how, std::string_view name, const Value& schema) {
  const std::string_view type = schema["type"].text();
  return how.words != nullptr && (type == "object" || type == "array") &&
         runner::names_member(*how.words, name);
}

/// Decides on an optional member: what the program walks through is there in most objects.
bool is_drawn(Choices& choices, const SchemaDraw& how, std::string_view name, const Value& schema) {
  return is_named_way(how, name, schema) ? !choices.one_in(4) : choices.one_in(chance_of(how));
}

/// Leaves one of the members of which the webhook wants one, in most objects.
void choose_alternatives(Choices& choices, Value& object, const Value& schema, const SchemaDraw& how) {
  if (how.words == nullptr) return;
  constexpr std::uint64_t kOneInAsDrawn = 8;
  for (const std::vector<std::string>& members : how.words->alternatives) {
    std::vector<std::string> known;
    std::ranges::copy_if(members, std::back_inserter(known), [&](const std::string& member) {
      return schema["properties"].find(member) != nullptr && !is_required(schema, member);
    });
    if (known.size() < 2 || choices.one_in(kOneInAsDrawn)) continue;
    const std::string chosen = choices.pick(known);
    for (const std::string& member : known)
      if (member != chosen) object.remove(member);
    if (object[chosen].is_null())
      object.set(chosen, draw_member(choices, chosen, schema["properties"][chosen], how));
  }
}

/// Draws a key of a map: often one that the program looks up.
std::string draw_key(Choices& choices, const SchemaDraw& how) {
  const bool is_known = how.words != nullptr && !how.words->map_keys.empty() && choices.coin();
  return is_known ? choices.pick(how.words->map_keys) : choices.pick(kKeys);
}

/// Draws a text, or a list of them, where no schema says a form.
Value draw_free_value(Choices& choices, const std::vector<std::string>& texts) {
  const auto draw_one = [&]() -> Value {
    return !texts.empty() && choices.coin() ? Value(choices.pick(texts)) : Value(choices.pick(kFreeTexts));
  };
  if (choices.coin()) return draw_one();
  Value list = Value::empty_list();
  for (auto left = choices.below(3); left > 0; --left) list.push_back(draw_one());
  return list;
}

/// Adds members whose names no schema says: of a map, or of an object of any form those that the program
/// looks up and that are no fields of a type, `kube-apiserver-arg`.
void add_others(Choices& choices, Value& object, const Value& schema, const SchemaDraw& how) {
  const Value& others = schema["additionalProperties"];
  const bool is_map = !others.is_null() && !(others.is_boolean() && !others.is_true());
  const bool is_free = schema["x-kubernetes-preserve-unknown-fields"].is_true() && how.words != nullptr &&
                       !how.words->map_keys.empty();
  if (!is_map && !is_free) return;
  for (auto left = choices.below(3); left > 0; --left) {
    const std::string key = !is_map                  ? choices.pick(how.words->map_keys)
                            : is_of_quantity(others) ? std::string(choices.pick(kResourceNames))
                                                     : draw_key(choices, how);
    if (is_map)
      object.set(key, others.is_object() ? draw_member(choices, key, others, how) : Value("example"));
    else if (key.find_first_of("-_.") != std::string::npos)
      object.set(key, draw_free_value(choices, how.words->texts));
  }
}

Value draw_object(Choices& choices, const Value& schema, const SchemaDraw& how) {
  Value object = Value::empty_object();
  for (const auto& [name, property] : schema["properties"].members()) {
    if (!is_required(schema, name.text()) && !is_drawn(choices, how, name.text(), property)) continue;
    object.set(name.name(), draw_member(choices, name.text(), property, how));
  }
  choose_alternatives(choices, object, schema, how);
  const std::size_t least = size_bound(schema, "minProperties", 0, 8);
  for (const auto& [name, property] : schema["properties"].members()) {
    if (object.size() >= least) break;
    if (object.find(name.name()) == nullptr)
      object.set(name.name(), draw_member(choices, name.text(), property, how));
  }
  add_others(choices, object, schema, how);
  return object;
}

/// Returns true if the list has an element with the same values of all keys, which a server refuses.
bool has_key_of(const Value& list, const Value& element, const Value& keys) {
  const auto elements = list.elements();
  return !keys.empty() && std::any_of(elements.begin(), elements.end(), [&](const Value& other) {
    const auto names = keys.elements();
    return std::all_of(names.begin(), names.end(),
                       [&](const Value& key) { return other[key.text()] == element[key.text()]; });
  });
}

Value draw_list(Choices& choices, const Value& schema, const SchemaDraw& how) {
  const std::size_t least = size_bound(schema, "minItems", 0, 8);
  const std::size_t most = std::max(least, size_bound(schema, "maxItems", 2, 2));
  Value list = Value::empty_list();
  for (auto left = least + choices.below(most - least + 1); left > 0; --left) {
    Value element = draw_schema_value(choices, schema["items"], below(how));
    if (!has_key_of(list, element, schema["x-kubernetes-list-map-keys"])) list.push_back(std::move(element));
  }
  return list;
}

}  // namespace

Value draw_schema_value(Choices& choices, const Value& schema, const SchemaDraw& how) {
  constexpr std::uint64_t kOneInNull = 8;
  if (schema["nullable"].is_true() && choices.one_in(kOneInNull)) return {};
  if (!schema["enum"].empty()) return choices.pick(schema["enum"].elements());
  if (!schema["default"].is_null() && choices.coin()) return schema["default"];
  if (auto part = draw_pod_part(choices, schema)) return *std::move(part);
  if (schema["x-kubernetes-int-or-string"].is_true()) {
    if (choices.coin()) return 1;
    return schema["pattern"].is_string() ? draw_text(choices, schema) : Value("50%");
  }
  const std::string_view type = schema["type"].text();
  if (type == "boolean") return choices.coin();
  if (type == "integer" || type == "number") return draw_number(choices, schema);
  if (type == "array") return how.depth_max > 0 ? draw_list(choices, schema, how) : Value::empty_list();
  if (type == "object") return how.depth_max > 0 ? draw_object(choices, schema, how) : Value::empty_object();
  return draw_text(choices, schema);
}

bool fill_by_schema(Choices& choices, Value& object, const Value& schema, int minor,
                    const runner::Vocabulary* words, int status_one_in) {
  constexpr std::array kSparser{2, 3, 4, 6, 10, 20, 50, 1000};
  const Value empty = object;
  for (const int optional_one_in : kSparser) {
    object = empty;
    for (const auto& [key, property] : schema["properties"].members()) {
      const std::string_view name = key.text();
      if (name == "apiVersion" || name == "kind" || name == "metadata") continue;
      const auto one_in = static_cast<std::uint64_t>(name == "status" ? status_one_in : optional_one_in);
      const bool is_wanted = name == "spec" || is_required(schema, name) || choices.one_in(one_in);
      // Controllers write a status as a whole.
      const bool is_whole = name == "status" && optional_one_in == kSparser.front();
      if (is_wanted)
        object.set(key.name(),
                   draw_schema_value(choices, property,
                                     {.optional_one_in = is_whole ? 1 : optional_one_in, .words = words}));
    }
    const Value defaulted = apiserver::custom::with_defaults(object, schema);
    if (apiserver::custom::is_valid(defaulted, schema, minor)) return true;
  }
  return false;
}

Value draw_valid_object(Choices& choices, const cases::Kind& kind, int minor,
                        const runner::Vocabulary* words) {
  Value object{{"apiVersion", kind.api_version()}, {"kind", kind.name}, {"metadata", {{"name", "example"}}}};
  fill_by_schema(choices, object, runner::drawn_schema_of(kind), minor, words);
  return object;
}

}  // namespace fixpoint::generators
