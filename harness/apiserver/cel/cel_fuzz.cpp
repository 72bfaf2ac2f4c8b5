#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/document/check.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"

namespace {

using namespace fixpoint;
using namespace fixpoint::apiserver::cel;

constexpr std::array<const char*, 40> kTexts{"",
                                             "a",
                                             "abc",
                                             "a.b.c",
                                             "é",
                                             "\\U0001F600",
                                             "%s",
                                             "%d",
                                             "%f",
                                             "%.3f",
                                             "%.2000e",
                                             "%.9999f",
                                             "%x%X%o%b",
                                             "%",
                                             "%.",
                                             "%.99999999999999999999f",
                                             "1",
                                             "-1",
                                             "1.5",
                                             "1e309",
                                             "true",
                                             "10Mi",
                                             "100m",
                                             "1.2.3",
                                             "1.2.3-rc.1+b",
                                             "10.0.0.1",
                                             "10.0.0.0/8",
                                             "fe80::1",
                                             "::ffff:1.2.3.4",
                                             "https://u@h:80/p?q=1&q=2#f",
                                             "/healthz",
                                             "1h30m",
                                             "2026-01-02T03:04:05.678Z",
                                             "America/New_York",
                                             "^(a|b)*c$",
                                             "[0-9",
                                             "(?P<n>x+)",
                                             "dns1123Label",
                                             "a=b,c notin (d)",
                                             "metadata.name=x"};
constexpr std::array<const char*, 14> kIntegers{"0",
                                                "1",
                                                "-1",
                                                "2",
                                                "3",
                                                "7",
                                                "64",
                                                "255",
                                                "256",
                                                "100000",
                                                "2147483648",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "1000000"};
constexpr std::array<const char*, 10> kReals{
    "0.0", "-0.0", "1.5",          "1e300", "5e-324", "double('NaN')", "double('Infinity')",
    "0.1", "-2.5", "123456789.125"};

std::vector<const Declaration*> all_declarations() {
  std::vector<const Declaration*> all;
  for (const auto table : {standard_declarations(), extension_declarations(), kubernetes_declarations()})
    for (const Declaration& row : table) all.push_back(&row);
  return all;
}

/// Makes expressions of calls whose arguments have the types that the table says; the input decides which.
class Maker {
 public:
  explicit Maker(std::string_view input) : input_(input) {}

  std::string call(const Overload& overload, int depth) {
    std::vector<std::string> arguments;
    const std::string of_parameters = any_type();
    for (const TypePtr& type : overload.arguments) arguments.push_back(value(*type, of_parameters, depth));
    return written(overload, arguments);
  }
  std::string some_call(int depth) {
    static const std::vector<const Declaration*> kRows = all_declarations();
    const std::size_t number = next() * 256U + next();
    const Overload* overload = find_overload(kRows[number % kRows.size()]->overload);
    return overload == nullptr ? "true" : call(*overload, depth);
  }

 private:
  std::uint8_t next() {
    return at_ < input_.size() ? static_cast<std::uint8_t>(input_[at_++]) : std::uint8_t{0};
  }
  template <std::size_t kSize>
  std::string one_of(const std::array<const char*, kSize>& all) {
    return all[next() % kSize];
  }
  std::string any_type() {
    constexpr std::array<const char*, 8> kTypes{"int",   "uint", "double",   "string",
                                                "bytes", "bool", "duration", "timestamp"};
    return one_of(kTypes);
  }

  std::string text() {
    const std::uint8_t how = next();
    if (how < 160) return "'" + one_of(kTexts) + "'";
    std::string out = "'";
    constexpr std::string_view kHex = "0123456789abcdef";
    for (int i = how % 24; i > 0; --i) {
      const std::uint8_t byte = next();
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
    return out + "'";
  }

  std::string list(const Type& element, const std::string& of_parameters, int depth) {
    const std::uint8_t how = next();
    if (how % 16 == 15) return "lists.range(" + std::to_string(how * 40) + ")";
    std::string out = "[";
    for (int i = how % 5; i > 0; --i) out += value(element, of_parameters, depth - 1) + (i > 1 ? ", " : "");
    return out + "]";
  }

  std::string opaque(const std::string& name) {
    if (name == "kubernetes.Quantity") return "quantity(" + text() + ")";
    if (name == "kubernetes.URL") return "url(" + text() + ")";
    if (name == "kubernetes.Semver") return "semver(" + text() + ")";
    if (name == "net.IP") return "ip(" + text() + ")";
    if (name == "net.CIDR") return "cidr(" + text() + ")";
    if (name == "kubernetes.NamedFormat") return "format.dns1123Label()";
    if (name == "kubernetes.authorization.Authorizer") return "authorizer";
    if (name == "kubernetes.authorization.PathCheck") return "authorizer.path(" + text() + ")";
    if (name == "kubernetes.authorization.GroupCheck") return "authorizer.group(" + text() + ")";
    if (name == "kubernetes.authorization.ResourceCheck")
      return "authorizer.group('').resource(" + text() + ")";
    if (name == "kubernetes.authorization.Decision") return "authorizer.path(" + text() + ").check('get')";
    return "object";
  }

  std::string value(const Type& type, const std::string& of_parameters, int depth) {
    if (depth > 0 && next() % 4 == 3) return "dyn(" + some_call(depth - 1) + ")";
    switch (type.kind) {
      case TypeKind::boolean:
        return next() % 2 == 0 ? "true" : "false";
      case TypeKind::integer:
        return one_of(kIntegers);
      case TypeKind::unsigned_integer:
        return std::to_string(next() * (next() + 1)) + "u";
      case TypeKind::real:
        return one_of(kReals);
      case TypeKind::text:
        return text();
      case TypeKind::bytes:
        return "b" + text();
      case TypeKind::null:
        return "null";
      case TypeKind::duration:
        return "duration('" + std::to_string(next() * 1000000) + "s')";
      case TypeKind::timestamp:
        return "timestamp('" + std::to_string(1000 + next() * 35) + "-02-03T04:05:06Z')";
      case TypeKind::list:
        return list(*type.of[0], of_parameters, depth);
      case TypeKind::map:
        return "{" + value(*type.of[0], of_parameters, 0) + ": " +
               value(*type.of[1], of_parameters, depth - 1) + "}";
      case TypeKind::type:
        return "type(" + text() + ")";
      case TypeKind::parameter:
        return value(*read_type(of_parameters), of_parameters, depth);
      case TypeKind::opaque:
        if (!type.of.empty()) return "optional.of(" + value(*type.of[0], of_parameters, depth - 1) + ")";
        return opaque(type.name);
      case TypeKind::message:
        return opaque(type.name);
      default:
        return next() % 2 == 0 ? "object" : text();
    }
  }

  static std::string written(const Overload& overload, const std::vector<std::string>& arguments) {
    std::string name = overload.row->function;
    const auto joined = [&](std::size_t from) {
      std::string out;
      for (std::size_t i = from; i < arguments.size(); ++i) out += (i > from ? ", " : "") + arguments[i];
      return out;
    };
    if (name == "_[_]") return "(" + arguments[0] + ")[" + joined(1) + "]";
    if (name == "_?_:_") return "(" + arguments[0] + " ? " + arguments[1] + " : " + joined(2) + ")";
    if (name == "@in") return "(" + arguments[0] + " in " + joined(1) + ")";
    if (name.starts_with("_") && name.ends_with("_") && arguments.size() == 2)
      return "((" + arguments[0] + ") " + name.substr(1, name.size() - 2) + " (" + arguments[1] + "))";
    if (name.ends_with("_") && arguments.size() == 1)
      return name.substr(0, name.size() - 1) + "(" + arguments[0] + ")";
    if (name.starts_with("@")) return "[" + joined(0) + "].all(x, true)";
    return overload.is_member ? "(" + arguments[0] + ")." + name + "(" + joined(1) + ")"
                              : name + "(" + joined(0) + ")";
  }

  const std::string_view input_;
  std::size_t at_ = 0;
};

/// The text of an evaluation's result; empty if a limit of ours ended it.
std::string answer(const Program& program, const Activation& variables) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  const document::Bounded bounded([end] { return std::chrono::steady_clock::now() >= end; });
  try {
    const Evaluation evaluation = program.evaluate(variables);
    return message_text(evaluation.value) + " " + std::to_string(evaluation.cost);
  } catch (const document::Cut&) {
    return {};
  }
}

}  // namespace

/// Calls the functions of the table with values of their types, and compiles and evaluates any text. Whatever
/// is called, an evaluation ends with a value, an error, or at a limit of ours, and says the same again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLongest = 4096;
  if (size < 2 || size > kLongest) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
  const bool is_text = data[0] == '=';
  Environment environment;
  environment.minor = 29 + data[1] % 8;
  environment.has_authorizer = true;
  const std::string source = is_text ? std::string(input) : Maker(input).some_call(2);
  const Compiled compiled = compile(source, environment);
  if (!compiled.program) return 0;
  static const document::Value kPod =
      document::read_json(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},
                              "spec":{"containers":[{"name":"c","image":"x:1"},{"name":"d","image":"y"}]}})")
          .value();
  Activation variables;
  variables[Variable::object] = Datum::of(kPod);
  const std::string first = answer(*compiled.program, variables);
  const std::string second = answer(*compiled.program, variables);
  const bool is_same = first == second || first.empty() || second.empty();
  if (!is_same) std::fprintf(stderr, "%s\n%s\n%s\n", source.c_str(), first.c_str(), second.c_str());
  document::check(is_same, "an evaluation says the same again");
  return 0;
}
