#include "harness/properties/other_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

#include "harness/document/json.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::Shape;

constexpr std::size_t kValues = 3;

/// The texts of the API that a field may hold, where they are few.
struct Enumeration {
  std::string_view field;
  std::array<std::string_view, 4> texts;
};
constexpr auto kEnumerations =
    std::to_array<Enumeration>({{"imagePullPolicy", {"Always", "IfNotPresent", "Never"}},
                                {"restartPolicy", {"Always", "OnFailure", "Never"}},
                                {"dnsPolicy", {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"}},
                                {"terminationMessagePolicy", {"File", "FallbackToLogsOnError"}},
                                {"preemptionPolicy", {"PreemptLowerPriority", "Never"}},
                                {"mountPropagation", {"None", "HostToContainer", "Bidirectional"}},
                                {"protocol", {"TCP", "UDP", "SCTP"}},
                                {"scheme", {"HTTP", "HTTPS"}},
                                {"effect", {"NoSchedule", "PreferNoSchedule", "NoExecute"}},
                                {"whenUnsatisfiable", {"DoNotSchedule", "ScheduleAnyway"}}});

/// A short word that is legal in names, labels and tags.
std::string word_of(std::uint32_t hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string word = "x";
  for (int i = 0; i < 4; ++i, hash /= 16) word += kDigits[hash % 16];
  return word;
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Returns three whole numbers near this one that are also legal as a port, a count or an id.
std::array<std::int64_t, kValues> numbers_beside(std::int64_t number, std::uint32_t hash) {
  constexpr std::int64_t kLarge = 65000;
  const std::int64_t sign = number > kLarge ? -1 : 1;
  return {number + sign, number + sign * (2 + hash % 7), number + sign * (10 + hash % 11)};
}

std::vector<Value> other_numbers(std::string_view text, std::uint32_t hash, bool as_text) {
  std::int64_t number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (bad != std::errc() || end != text.data() + text.size()) return {};
  std::vector<Value> others;
  for (const std::int64_t other : numbers_beside(number, hash))
    others.push_back(as_text ? Value(std::to_string(other)) : Value(other));
  return others;
}

/// Returns other amounts of the same unit, with other digits.
std::vector<Value> other_quantities(std::string_view text, std::uint32_t hash) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (!is_whole_number(text.substr(0, digits))) return {};
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + digits, number);
  std::vector<Value> others;
  for (const std::int64_t other : numbers_beside(number, hash))
    others.push_back(std::to_string(other).append(text.substr(digits)));
  return others;
}

std::vector<Value> other_images(const std::string& image, const std::string& word) {
  const std::size_t name = image.rfind('/') + 1;  // npos + 1 is 0
  const std::size_t end = std::min(image.find_first_of(":@", name), image.size());
  const std::string repository = image.substr(0, end), tag = image.substr(end);
  std::vector<Value> others{repository + "-" + word + tag,
                            image.substr(0, name) + word + "/" + image.substr(name)};
  if (tag.find('@') == std::string::npos) others.push_back(repository + ":" + word);
  return others;
}

std::vector<Value> other_json(const Value& json, const std::string& word) {
  std::vector<Value> others;
  for (std::size_t i = 0; i < kValues; ++i) {
    Value other = json;
    const std::string text = word + std::to_string(i);
    if (json.is_array()) {
      other.push_back(text);
    } else {
      other.set("fixpoint", text);
    }
    others.push_back(document::write_json(other));
  }
  return others;
}

std::string with_other_case(std::string text) {
  for (char& c : text) {
    const auto letter = static_cast<unsigned char>(c);
    c = static_cast<char>(std::isupper(letter) != 0 ? std::tolower(letter) : std::toupper(letter));
  }
  return text;
}

std::vector<Value> other_texts(const Field& field, const std::string& text, std::uint32_t hash) {
  for (const Enumeration& known : kEnumerations) {
    if (known.field != field.name.text) continue;
    std::vector<Value> others;
    for (const std::string_view other : known.texts)
      if (!other.empty() && other != text) others.push_back(other);
    return others;
  }
  const std::string word = word_of(hash);
  if (field.name.text == "image") return other_images(text, word);
  if (text == "true" || text == "false") return {text == "true" ? "false" : "true"};
  if (is_whole_number(text)) return other_numbers(text, hash, true);
  if (const auto json = document::read_json(text, {}, document::Strictness::foreign);
      json.ok() && (json->is_object() || json->is_array()))
    return other_json(*json, word);
  std::vector<Value> others{text + "-" + word, word + "-" + text};
  if (const std::string other = with_other_case(text); other != text) others.push_back(other);
  return others;
}

}  // namespace

std::vector<Value> other_values(const Field& field, const Value& value, std::uint32_t hash) {
  switch (field.shape) {
    case Shape::text:
      return other_texts(field, std::string(value.text()), hash);
    case Shape::boolean:
      return {!value.is_true()};
    case Shape::int32:
    case Shape::int64:
      return other_numbers(value.text(), hash, false);
    case Shape::quantity:
      return other_quantities(value.text(), hash);
    case Shape::int_or_text:
      return value.is_number() ? other_numbers(value.text(), hash, false)
                               : std::vector<Value>{std::string(value.text()) + "-" + word_of(hash)};
    case Shape::raw:
      if (value.is_string()) return other_texts(field, std::string(value.text()), hash);
      if (value.is_boolean()) return {!value.is_true()};
      return value.is_number() ? other_numbers(value.text(), hash, false) : std::vector<Value>();
    default:
      return {};
  }
}

std::vector<Value> other_handlers(const Value& hook, std::uint32_t hash) {
  const std::string word = word_of(hash);
  std::vector<Value> others;
  const auto vary = [&](document::Name handler, document::Name member, const Value& other) {
    if (hook[handler][member].is_null() || hook[handler][member] == other) return;
    Value changed = hook;
    changed.edit(handler).set(member, other);
    others.push_back(std::move(changed));
  };
  for (const char* name : {"httpGet", "tcpSocket", "grpc"}) {
    const document::Name handler(name);
    const auto numbers = numbers_beside(hook[handler]["port"].integer().value_or(8080), hash);
    vary(handler, "port", numbers[0]);
    vary(handler, "path", "/" + word);
    vary(handler, "service", word);
    vary(handler, "host", word + ".example");
    if (!hook[handler]["httpHeaders"].empty())
      vary(handler, "httpHeaders", Value::list({Value{{"name", "X-Fixpoint"}, {"value", word}}}));
    vary(handler, "port", numbers[1]);
  }
  vary("exec", "command", Value::list({Value("/" + word)}));
  vary("exec", "command", Value::list({Value("/" + word), Value(word)}));
  vary("sleep", "seconds", hook["sleep"]["seconds"].integer().value_or(0) + 1);
  return others;
}

}  // namespace fixpoint::properties
