#include "harness/apiserver/policies/mutation_values.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/apiserver/decoding/timestamp.h"
#include "harness/apiserver/policies/typed_walk.h"
#include "harness/document/base64.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

namespace {

using cel::Datum;
using cel::Kind;
using document::Error;
using document::Member;
using document::Result;
using document::Text;
using document::Value;

/// Integers beyond it are no doubles (cel-go common/types/int.go isJSONSafe).
constexpr std::int64_t kDoubleIntegerMax = (std::int64_t{1} << 53) - 1;

const cel::ObjectBox* object_in(const Datum& value) {
  const bool is_object = value.is(Kind::opaque) && value.opaque().tag() == "object";
  return is_object ? static_cast<const cel::ObjectBox*>(&value.opaque()) : nullptr;
}

/// Collects the objects below a value whose type names do not match their place.
void check_names(const Datum& value, const std::string& path, std::string& problems) {
  if (const cel::ObjectBox* object = object_in(value)) {
    if (object->name != path) {
      if (!problems.empty()) problems += "\n";
      problems +=
          Text("unexpected type name {}, expected {}, which matches field name path from root Object type")
              .with({document::go_quoted(object->name), document::go_quoted(path)});
    }
    for (const auto& [name, field] : object->fields) check_names(field, path + "." + name, problems);
  } else if (value.is(Kind::list) && !value.is_view()) {
    for (std::size_t i = 0; i < value.size(); ++i) check_names(value.element(i), path, problems);
  } else if (value.is(Kind::map) && !value.is_view()) {
    for (std::size_t i = 0; i < value.size(); ++i) check_names(value.entry(i).second, path, problems);
  }
}

std::optional<Error> name_problem(const Datum& object) {
  std::string problems;
  check_names(object, object_in(object)->name, problems);
  if (problems.empty()) return std::nullopt;
  return Error{Text("type mismatch: {}").with({problems})};
}

/// How numbers are written: those of objects stay integers, those of patches are doubles.
enum class Numbers { as_they_are, as_json };

class Converter {
 public:
  explicit Converter(Numbers numbers) : numbers_(numbers) {}

  /// Within a document nulls are those of JSON.
  Value value(const Datum& datum, bool is_within_view = false) {
    switch (datum.kind()) {
      case Kind::null:
        if (numbers_ == Numbers::as_json || is_within_view) return {};
        return foreign_value({"NULL_VALUE", "0", "structpb.NullValue"});
      case Kind::error:
        return {};
      case Kind::type:
        if (problem.empty()) problem = Text("type conversion not supported for '{}'").with({"type"});
        return {};
      case Kind::boolean:
        return datum.is_true();
      case Kind::integer:
        return integer(datum.integer());
      case Kind::unsigned_integer:
        return unsigned_integer(datum.unsigned_integer());
      case Kind::real:
        return real(datum.real());
      case Kind::text:
        return datum.text();
      case Kind::bytes:
        if (numbers_ == Numbers::as_json) return document::encode_base64(datum.text());
        return foreign_bytes(datum.text());
      case Kind::duration: {
        const std::string text = cel::go_duration(datum.integer());
        if (numbers_ == Numbers::as_json) return text;
        return foreign_value({text, std::to_string(datum.integer()), "time.Duration"});
      }
      case Kind::timestamp:
        if (numbers_ == Numbers::as_json) return timestamp_text(datum.time());
        return foreign_time(datum.time());
      case Kind::optional:
        return datum.held() == nullptr ? Value() : value(*datum.held());
      case Kind::list: {
        std::vector<Value> elements;
        for (std::size_t i = 0; i < datum.size(); ++i)
          elements.push_back(value(datum.element(i), datum.is_view()));
        return elements;
      }
      case Kind::map:
        return map(datum);
      case Kind::opaque:
        return opaque(datum);
    }
    return {};
  }

  std::string problem = {};

 private:
  Value integer(std::int64_t number) const {
    const bool is_text = numbers_ == Numbers::as_json && std::abs(number) > kDoubleIntegerMax;
    return is_text ? Value(std::to_string(number)) : Value(number);
  }
  static Value foreign_bytes(std::string_view bytes) {
    std::string plain = "[", syntax = "[]uint8{";
    for (const char c : bytes) {
      const unsigned byte = static_cast<unsigned char>(c);
      char hex[8];
      std::snprintf(hex, sizeof hex, "0x%x", byte);
      plain.append(plain.size() > 1 ? " " : "").append(std::to_string(byte));
      syntax.append(syntax.back() == '{' ? "" : ", ").append(hex);
    }
    return foreign_value({plain + "]", syntax + "}", "[]uint8"});
  }
  static Value foreign_time(const cel::Time& time) {
    constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};
    const Calendar date = calendar_of(time.seconds);
    std::string syntax = "time.Date(" + std::to_string(date.year) + ", time." + kMonths[date.month - 1];
    for (const int part : {date.day, date.hour, date.minute, date.second, static_cast<int>(time.nanoseconds)})
      syntax.append(", ").append(std::to_string(part));
    return foreign_value({timestamp_text(time), syntax + ", time.UTC)", "time.Time"});
  }
  Value unsigned_integer(std::uint64_t number) const {
    if (numbers_ == Numbers::as_json) return integer(static_cast<std::int64_t>(number));
    char hex[32];
    std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(number));
    return foreign_value({std::to_string(number), hex, "uint64"});
  }
  Value real(double number) const {
    if (!std::isfinite(number)) return cel::real_text(number);
    // Go writes a double without an exponent in this range.
    const double size = std::abs(number);
    const bool is_plain = size == 0 || (size >= 1e-6 && size < 1e21);
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, number,
                                   is_plain ? std::chars_format::fixed : std::chars_format::scientific);
    return Value::number(std::string_view(text, static_cast<std::size_t>(end.ptr - text)));
  }
  Value map(const Datum& datum) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      const auto [key, of] = datum.entry(i);
      if (!key.is(Kind::text) && problem.empty())
        problem = Text("unsupported type conversion from '{}' to string").with({cel::type_name(key)});
      members.push_back({std::string(key.text()), value(of, datum.is_view())});
    }
    return members;
  }
  Value opaque(const Datum& datum) {
    const cel::ObjectBox* object = object_in(datum);
    if (object == nullptr) {
      const std::string text = datum.opaque().text();
      if (numbers_ == Numbers::as_json) {
        if (problem.empty())
          problem = Text("type conversion error from '{}' to '*structpb.Value'").with({"Quantity"});
        return {};
      }
      return foreign_value({text, text, std::string(datum.opaque().type_name())});
    }
    std::vector<Member> members;
    for (const auto& [name, field] : object->fields) members.push_back({name, value(field)});
    return members;
  }

  Numbers numbers_;
};

Result<Value> converted(const Datum& datum, Numbers numbers) {
  Converter converter(numbers);
  Value value = converter.value(datum);
  if (!converter.problem.empty()) return Error{converter.problem};
  return value;
}

}  // namespace

Result<Value> configuration_of(const Datum& object) {
  if (auto problem = name_problem(object)) return *std::move(problem);
  return converted(object, Numbers::as_they_are);
}

bool crashes_server(const Datum& list) {
  const auto holds_object = [](const auto& self, const Datum& value, bool is_within) -> bool {
    if (object_in(value) != nullptr) return is_within;
    if (value.is_view()) return false;
    for (std::size_t i = 0; value.is(Kind::list) && i < value.size(); ++i)
      if (self(self, value.element(i), true)) return true;
    for (std::size_t i = 0; value.is(Kind::map) && i < value.size(); ++i)
      if (self(self, value.entry(i).second, true)) return true;
    return false;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Datum element = list.element(i);
    if (!element.is(Kind::opaque) || element.opaque().tag() != "patch") continue;
    const auto& patch = static_cast<const cel::PatchBox&>(element.opaque());
    if (patch.has_value && holds_object(holds_object, patch.value, false)) return true;
  }
  return false;
}

Result<Value> patch_of(const Datum& list) {
  std::vector<Value> operations;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Datum element = list.element(i);
    if (!element.is(Kind::opaque) || element.opaque().tag() != "patch")
      return Error{"type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch"};
    const auto& patch = static_cast<const cel::PatchBox&>(element.opaque());
    std::vector<Member> operation{{"op", patch.op}, {"path", patch.path}};
    if (!patch.from.empty()) operation.push_back({"from", patch.from});
    if (patch.has_value) {
      if (object_in(patch.value) != nullptr) {
        if (auto problem = name_problem(patch.value)) return *std::move(problem);
      }
      auto value = converted(patch.value, Numbers::as_json);
      if (!value) {
        return Error{Text("JSONPath valueExpression evaluated to a type that could not marshal to JSON: {}")
                         .with({value.error().message})};
      }
      operation.push_back({"value", *std::move(value)});
    }
    operations.push_back(operation);
  }
  return Value(std::move(operations));
}

}  // namespace fixpoint::apiserver::policies
