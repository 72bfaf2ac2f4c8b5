#include "harness/apiserver/policies/mutation_values.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/apiserver/decoding/timestamp.h"
#include "harness/apiserver/policies/go_values.h"
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

/// A text that no document has.
constexpr const char* kEqualsNothing = "\x01null of an expression";

/// Integers beyond it are no doubles (cel-go common/types/int.go isJSONSafe).
constexpr std::int64_t kDoubleIntegerMax = (std::int64_t{1} << 53) - 1;

/// The bytes that one value of a document takes.
constexpr std::size_t kValueBytes = 2 * sizeof(Value);

/// Collects the objects below a value whose type names do not match their place.
void check_names(const Datum& value, const std::string& path, std::string& problems) {
  cel::spend_step();
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

/// The value of a JSON Patch: CEL's values as protobuf's JSON has them (cel-go ConvertToNative for
/// structpb.Value).
class JsonValues {
 public:
  Value value(const Datum& datum) {
    cel::spend_step();
    cel::spend_bytes(kValueBytes);
    switch (datum.kind()) {
      case Kind::null:
      case Kind::error:
        return {};
      case Kind::type:
        return failed(Text("type conversion not supported for '{}'").with({"type"}));
      case Kind::boolean:
        return datum.is_true();
      case Kind::integer:
        if (std::abs(datum.integer()) > kDoubleIntegerMax) return std::to_string(datum.integer());
        return datum.integer();
      case Kind::unsigned_integer:
        if (datum.unsigned_integer() > static_cast<std::uint64_t>(kDoubleIntegerMax))
          return std::to_string(datum.unsigned_integer());
        return datum.integer();
      case Kind::real:
        if (std::isfinite(datum.real())) return value_of_double(datum.real());
        return failed(Text("json: error calling MarshalJSON for type *structpb.Value: proto: "
                           "google.protobuf.Value.number_value: invalid {} value")
                          .with({cel::real_text(datum.real())}));
      case Kind::text:
        return datum.text();
      case Kind::bytes:
        return document::encode_base64(datum.text());
      case Kind::duration:
        return seconds_of(datum.integer()) + "s";
      case Kind::timestamp:
        return timestamp_text(datum.time());
      case Kind::optional:
        if (datum.held() != nullptr) return value(*datum.held());
        return failed(std::string(Text("optional.none() dereference").words()));
      case Kind::list: {
        std::vector<Value> elements;
        for (std::size_t i = 0; i < datum.size(); ++i) elements.push_back(value(datum.element(i)));
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
  Value failed(const std::string& why) {
    if (problem.empty()) problem = why;
    return {};
  }
  static std::string seconds_of(std::int64_t nanoseconds) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const double seconds = static_cast<double>(nanoseconds / kSecond) +
                           static_cast<double>(nanoseconds % kSecond) / static_cast<double>(kSecond);
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, seconds, std::chars_format::fixed);
    return {text, end.ptr};
  }
  Value map(const Datum& datum) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < datum.size(); ++i) {
      const auto [key, of] = datum.entry(i);
      if (key.is(Kind::boolean)) {
        failed(Text("type conversion error from {} to 'string'").with({"bool"}));
      } else if (key.is(Kind::real)) {
        failed(Text("type conversion error from {} to 'string'").with({"Double"}));
      } else if (key.is(Kind::opaque)) {
        // A quantity, an address: what it prints is the key.
        members.push_back({key.opaque().text(), value(of)});
        continue;
      } else if (!key.is(Kind::text)) {
        failed(Text("unsupported type conversion from '{}' to string").with({cel::type_name(key)}));
      }
      members.push_back({std::string(key.is(Kind::text) ? key.text() : ""), value(of)});
    }
    return members;
  }
  Value opaque(const Datum& datum) {
    if (const cel::ObjectBox* object = object_in(datum)) {
      std::vector<Member> members;
      for (const auto& [name, field] : object->fields) members.push_back({name, value(field)});
      return members;
    }
    std::string_view type = datum.opaque().type_name();
    if (!type.starts_with("kubernetes.authorization.")) type.remove_prefix(type.rfind('.') + 1);
    return failed(Text("type conversion error from '{}' to '*structpb.Value'").with({type}));
  }
};

}  // namespace

Result<Value> configuration_of(const Datum& object) {
  if (auto problem = name_problem(object)) return *std::move(problem);
  return go_value_of(object);
}

bool crashes_server(const Datum& list) {
  const auto holds_object = [](const auto& self, const Datum& value, bool is_within) -> bool {
    cel::spend_step();
    if (object_in(value) != nullptr) return is_within;
    if (value.is_view()) return false;
    for (std::size_t i = 0; value.is(Kind::list) && i < value.size(); ++i)
      if (self(self, value.element(i), !value.is_joined())) return true;
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
      JsonValues values;
      Value value = values.value(patch.value);
      if (!values.problem.empty()) {
        return Error{Text("JSONPath valueExpression evaluated to a type that could not marshal to JSON: {}")
                         .with({values.problem})};
      }
      // The null of an expression is a value to the patch library, and equals no null of the document.
      if (patch.op == "test" && value.is_null()) value = kEqualsNothing;
      operation.push_back({"value", std::move(value)});
    }
    operations.push_back(operation);
  }
  return Value(std::move(operations));
}

}  // namespace fixpoint::apiserver::policies
