#include "harness/apiserver/custom/validate_schema.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/custom/correlation.h"
#include "harness/apiserver/custom/durations.h"
#include "harness/apiserver/decoding/string_formats.h"
#include "harness/document/server_text.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Name;
using document::Value;
using validation::Errors;
using validation::Path;

/// The minor since which an integer is checked twice, by its type and by its format.
constexpr int kNumbersChecked = 36;

/// The same of requests to the status.
constexpr int kForgivesInStatus = 33;

/// Go's name for the type of a value that has another type than its schema says.
std::string_view type_of(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "boolean";
  if (value.is_string()) return "string";
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  return value.integer() ? "integer" : "number";
}

/// Returns true for an integer, and for a real number that is one and exact (swag.IsFloat64AJSONInteger).
bool is_whole(const Value& value) {
  constexpr double kExactMax = 9007199254740991;
  const auto real = value.real();
  return value.is_number() &&
         (value.integer() || (real && *real == std::floor(*real) && std::fabs(*real) <= kExactMax));
}

/// As above, but near an integer is enough.
bool is_about_whole(double number) {
  constexpr double kExactMax = 9007199254740991, kNear = 1e-9;
  if (std::fabs(number) > kExactMax) return false;
  const double whole = std::trunc(number), difference = std::fabs(number - whole);
  return difference == 0 || (number > 0 && difference / (number + whole) < kNear);
}

/// The format of a schema, where the server knows it; others count as none. It knows those of numbers, and
/// which format belongs to which type, since kNumbersChecked
/// (apiextensions-apiserver/pkg/apiserver/validation/formats.go).
std::string_view known_format(const Value& schema, int minor) {
  const std::string_view format = schema["format"].text(), type = schema["type"].text();
  const bool is_of_texts = is_string_format(format, minor) || format == "duration" || format == "password";
  bool is_known = is_of_texts;
  if (minor >= kNumbersChecked && !type.empty() && type != "string")
    is_known = (type == "integer" && (format == "int32" || format == "int64")) ||
               (type == "number" && (format == "float" || format == "double"));
  return is_known ? format : std::string_view();
}

bool has_type(const Value& value, std::string_view type) {
  if (type == "integer") return is_whole(value);
  if (type == "number") return value.is_number();
  return type.empty() || type == type_of(value);
}

std::string number_text(const Value& number) { return std::string(number.text()); }

/// The expression of a pattern, unanchored; nothing for one that cannot be compiled. Kept for the thread,
/// since a run asks the same few.
const re2::RE2* expression_of(std::string_view pattern) {
  constexpr std::size_t kKept = 512;
  static thread_local std::map<std::string, std::unique_ptr<re2::RE2>, std::less<>> known;
  const auto found = known.find(pattern);
  if (found != known.end()) return found->second.get();
  if (known.size() >= kKept) known.clear();
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto made = std::make_unique<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!made->ok()) made = nullptr;
  return known.emplace(std::string(pattern), std::move(made)).first->second.get();
}

/// The checks of one value by its schema, without the values below it.
class ValueChecks {
 public:
  /// Texts name paths without the `root`, where there is one.
  ValueChecks(int minor, Errors& errors, std::string_view root)
      : minor_(minor), errors_(errors), root_(root) {}

  /// Go's name for the size of a number; nothing for other values.
  static std::string_view format_of(const Value& value) {
    if (!value.is_number()) return "";
    return value.integer() ? "int64" : "float64";
  }

  std::string in_body(const Path& path) const {
    const std::string text = path.text();
    if (root_.empty() || !text.starts_with(root_)) return text;
    return text.size() == root_.size() ? std::string() : text.substr(root_.size() + 1);
  }

  void wrong_type(const Path& path, std::string_view found, std::string_view wanted) {
    errors_.wrong_type(path, found,
                       in_body(path) + " in body must be of type " + std::string(wanted) + ": " +
                           document::go_quoted(found));
  }

  void refuse(const Path& path, const Value& value, const std::string& what) {
    errors_.invalid(path, value, in_body(path) + " in body " + what);
  }

  void check_type(const Value& value, const Value& schema, const Path& path) {
    const std::string_view type = schema["type"].text(), format = known_format(schema, minor_);
    if (schema["x-kubernetes-int-or-string"].is_true()) {
      if (!value.is_string() && !is_whole(value)) wrong_type(path, type_of(value), "integer,string");
      return;
    }
    if (type.empty()) return;
    // kube-openapi/pkg/validation/validate/type.go: a format is reported instead of a type.
    const bool is_text_or_list = value.is_string() || value.is_array();
    if (!value.is_null() && !format.empty()) {
      const bool is_number_type = type == "integer" || type == "number";
      if (!is_text_or_list && !has_type(value, type)) return wrong_type(path, format_of(value), format);
      if (is_text_or_list && !is_number_type) return;
    }
    if (!has_type(value, type)) wrong_type(path, type_of(value), type);
  }

  /// Go converts the value to the type of a choice, if it can: 0.5 becomes the integer 0, and 97 the text "a"
  /// (kube-openapi/pkg/validation/validate/values.go Enum).
  static bool is_choice(const Value& value, const Value& choice) {
    const auto number = value.real(), wanted = choice.real();
    if (value == choice) return true;
    if (value.is_number() && choice.is_number() && number && wanted)
      return choice.integer() ? std::trunc(*number) == *wanted : *number == *wanted;
    if (!choice.is_string() || !value.integer()) return false;
    constexpr std::int64_t kRuneMax = 0x10FFFF, kReplacement = 0xFFFD;
    const bool is_rune = *value.integer() >= 0 && *value.integer() <= kRuneMax;
    std::string text;
    document::append_utf8(text, static_cast<std::uint32_t>(is_rune ? *value.integer() : kReplacement));
    return text == choice.text();
  }

  void check_enum(const Value& value, const Value& schema, const Path& path) {
    const auto choices = schema["enum"].elements();
    const auto is_met = [&](const Value& choice) { return is_choice(value, choice); };
    if (choices.empty() || std::any_of(choices.begin(), choices.end(), is_met)) return;
    std::vector<std::string> texts;
    for (const Value& choice : choices)
      texts.push_back(choice.is_string() ? std::string(choice.text()) : document::go_json(choice));
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    errors_.not_supported_value(path, value, validation::Choices(views));
  }

  void check_format(const Value& value, const Value& schema, const Path& path) {
    const std::string_view format = known_format(schema, minor_);
    const bool is_met = format == "duration" ? read_duration_format(value.text()).has_value()
                                             : has_format(value.text(), format, minor_);
    if (!is_met) wrong_type(path, value.text(), format);
  }

  void check_text(const Value& value, const Value& schema, const Path& path) {
    check_format(value, schema, path);
    // Of the others the first is reported.
    const std::size_t runes = document::rune_count(value.text());
    if (const auto most = schema["maxLength"].integer(); most && runes > static_cast<std::size_t>(*most))
      return errors_.too_long(path, static_cast<std::size_t>(*most));
    if (const auto least = schema["minLength"].integer(); least && runes < static_cast<std::size_t>(*least))
      return refuse(path, value, "should be at least " + std::to_string(*least) + " chars long");
    const std::string_view pattern = schema["pattern"].text();
    if (pattern.empty()) return;
    const re2::RE2* expression = expression_of(pattern);
    const std::string_view text = value.text();
    if (expression == nullptr ||
        re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *expression))
      return;
    refuse(path, value, "should match '" + std::string(pattern) + "'");
  }

  /// Checks that the number fits into the type and its format (kube-openapi/pkg/validation/validate/values.go
  /// IsValueValidAgainstRange).
  void check_range(const Value& value, const Value& schema, const Path& path) {
    const std::string_view type = schema["type"].text(), format = known_format(schema, minor_);
    const double number = value.real().value_or(0);
    bool fits = true;
    if (type == "integer") {
      constexpr double kInt32Max = 2147483647;
      const bool is_small = format != "int32" || (number <= kInt32Max && number >= -kInt32Max - 1);
      // Up to 2^63: the number of 19 digits that follows is written like it.
      constexpr double kInt64End = 9223372036854775808.0;
      fits = is_small && (value.integer() || (number == std::floor(number) && std::fabs(number) < kInt64End));
    } else if (format == "float") {
      fits = std::fabs(number) <= static_cast<double>(std::numeric_limits<float>::max());
    }
    if (fits) return;
    const std::string how = format.empty() ? "(default format)" : "with format " + std::string(format);
    errors_.invalid(
        Path("<nil>"), "",
        "Checked value must be of type " + std::string(type) + " " + how + " in " + in_body(path));
  }

  void check_factor(const Value& value, double number, const Value& schema, const Path& path) {
    const auto factor = schema["multipleOf"].real();
    if (!factor) return;
    bool is_multiple = *factor <= 0 || is_about_whole(*factor < 1 ? 1 / *factor * number : number / *factor);
    if (const auto whole = value.integer()) {  // divided by the factor's whole part
      const auto divisor = static_cast<std::int64_t>(*factor);
      const std::string shown = std::to_string(divisor);
      if (divisor <= 0)
        return errors_.invalid(
            path, Value(divisor),
            "factor MultipleOf declared for " + in_body(path) + " must be positive: " + shown);
      is_multiple = *whole % divisor == 0;
    }
    if (!is_multiple) refuse(path, value, "should be a multiple of " + number_text(schema["multipleOf"]));
  }

  void check_number(const Value& value, const Value& schema, const Path& path) {
    const auto number = value.real();
    if (!number) return;
    if (minor_ >= kNumbersChecked) check_range(value, schema, path);
    if (const auto least = schema["minimum"].real()) {
      const bool is_strict = schema["exclusiveMinimum"].is_true();
      if (*number < *least || (is_strict && *number == *least))
        refuse(path, value,
               std::string("should be greater than ").append(is_strict ? "" : "or equal to ") +
                   number_text(schema["minimum"]));
    }
    if (const auto most = schema["maximum"].real()) {
      const bool is_strict = schema["exclusiveMaximum"].is_true();
      if (*number > *most || (is_strict && *number == *most))
        refuse(path, value,
               std::string("should be less than ").append(is_strict ? "" : "or equal to ") +
                   number_text(schema["maximum"]));
    }
    check_factor(value, *number, schema, path);
  }

  void check_count(const Value& value, const Value& schema, const Path& path, const char* most_key,
                   const char* least_key, const char* what) {
    if (const auto most = schema[most_key].integer(); most && value.size() > static_cast<std::size_t>(*most))
      errors_.too_many(path, value.size(), static_cast<std::size_t>(*most));
    if (const auto least = schema[least_key].integer();
        least && value.size() < static_cast<std::size_t>(*least))
      errors_.invalid(path, Value(static_cast<std::int64_t>(value.size())),
                      in_body(path) + " in body should have at least " + std::to_string(*least) + " " + what);
  }

 private:
  const int minor_;
  Errors& errors_;
  const std::string_view root_;
};

class Checker {
 public:
  /// Texts name paths without the `root`, where there is one.
  Checker(int minor, Errors& errors, std::string_view root = {})
      : minor_(minor), errors_(errors), root_(root), value_checks_(minor, errors, root) {}

  using Old = std::optional<Correlation>;

  /// Of a value that an update leaves as it was nothing is refused.
  void check(const Value& value, const Value& schema, const Path& path, const Old& old) {
    if (!old || minor_ < kForgivesUnchanged) return check_value(value, schema, path, old);
    Errors found(minor_);
    Checker(minor_, found, root_).check_value(value, schema, path, old);
    if (!found.empty() && !old->is_unchanged()) errors_.append(std::move(found));
  }

 private:
  void check_value(const Value& value, const Value& schema, const Path& path, const Old& old) {
    if (value.is_null() && schema["nullable"].is_true()) return value_checks_.check_enum(value, schema, path);
    value_checks_.check_type(value, schema, path);
    if (value.is_null()) return;
    value_checks_.check_enum(value, schema, path);
    if (value.is_string()) value_checks_.check_text(value, schema, path);
    if (value.is_number()) value_checks_.check_number(value, schema, path);
    if (value.is_array()) check_list(value, schema, path, old);
    if (value.is_object()) check_object(value, schema, path, old);
    check_combined(value, schema, path);
  }

  void check_list(const Value& value, const Value& schema, const Path& path, const Old& old) {
    value_checks_.check_count(value, schema, path, "maxItems", "minItems", "items");
    const Value& items = schema["items"];
    for (std::size_t i = 0; i < value.size() && !items.is_null(); ++i)
      check(value.at(i), items, path.at(i), old ? old->element(i) : std::nullopt);
  }

  void check_object(const Value& value, const Value& schema, const Path& path, const Old& old) {
    value_checks_.check_count(value, schema, path, "maxProperties", "minProperties", "properties");
    for (const Value& name : schema["required"].elements()) {
      if (value.find(Name(name.text())) == nullptr) errors_.required(path.child(name.text()));
    }
    for (const Member& member : value.members()) {
      const Value& below = schema_of_member(schema, member.key.name());
      if (below.is_object())
        check(member.value, below, path.child(member.key.text()),
              old ? old->member(member.key.text()) : std::nullopt);
    }
  }

  /// The errors of a value by one of several schemas.
  std::optional<Errors> errors_by(const Value& value, const Value& schema, const Path& path) {
    Errors own(minor_);
    Checker(minor_, own, root_).check(value, schema, path, std::nullopt);
    return own.empty() ? std::nullopt : std::optional<Errors>(std::move(own));
  }

  void check_combined(const Value& value, const Value& schema, const Path& path) {
    const Path nowhere("<nil>");
    const std::string quoted = document::go_quoted(value_checks_.in_body(path));
    const auto count_valid = [&](const Value& schemas, std::optional<Errors>& best) {
      std::size_t valid = 0;
      for (const Value& one : schemas.elements()) {
        auto found = errors_by(value, one, path);
        if (!found)
          ++valid;
        else if (!best)
          best = std::move(found);  // of those that match as well the server tells the first
      }
      return valid;
    };
    std::optional<Errors> best;
    if (const Value& any = schema["anyOf"]; !any.empty() && count_valid(any, best) == 0) {
      errors_.invalid(nowhere, "", quoted + " must validate at least one schema (anyOf)");
      if (best) errors_.append(std::move(*best));
    }
    best.reset();
    if (const Value& one = schema["oneOf"]; !one.empty()) {
      const std::size_t valid = count_valid(one, best);
      if (valid != 1)
        errors_.invalid(
            nowhere, "",
            quoted + " must validate one and only one schema (oneOf). Found " +
                (valid == 0 ? std::string("none valid") : std::to_string(valid) + " valid alternatives"));
      if (valid == 0 && best) errors_.append(std::move(*best));
    }
    if (const Value& all = schema["allOf"]; !all.empty()) {
      std::size_t valid = 0;
      for (const Value& one : all.elements()) {
        auto found = errors_by(value, one, path);
        valid += found ? 0 : 1;
        if (found) errors_.append(std::move(*found));
      }
      if (valid < all.size())
        errors_.invalid(
            nowhere, "",
            quoted + " must validate all the schemas (allOf)" + (valid == 0 ? ". None validated" : ""));
    }
    if (const Value& other = schema["not"]; other.is_object() && !errors_by(value, other, path))
      errors_.invalid(nowhere, "", quoted + " must not validate the schema (not)");
  }

  const int minor_;
  Errors& errors_;
  const std::string_view root_;
  ValueChecks value_checks_;
};

}  // namespace

void check_status(const Value& object, const Value& old, const Value& schema, int minor, Errors& errors) {
  const Value* status = object.find("status");
  const Value& specified = schema["properties"]["status"];
  if (status == nullptr || !specified.is_object()) return;
  std::optional<Correlation> before;
  if (!old.is_null() && minor >= kForgivesInStatus)
    before = Correlation(object, old, schema).member("status");
  Errors found(minor);
  Checker(minor, found, "status").check(*status, specified, Path("status"), before);
  found.drop_repeated();
  errors.append(std::move(found));
}

void check_schema(const Value& object, const Value& old, const Value& schema, int minor, Errors& errors) {
  if (schema.is_null()) return;
  Errors found(minor);
  Checker checker(minor, found);
  std::optional<Correlation> before;
  if (!old.is_null()) before.emplace(object, old, schema);
  // The root is checked member by member: the paths of the server have no root.
  for (const Value& name : schema["required"].elements()) {
    if (object.find(Name(name.text())) == nullptr) found.required(Path(name.text()));
  }
  for (const Member& property : schema["properties"].members()) {
    const Value* value = object.find(property.key.name());
    if (value == nullptr || property.key.is("metadata")) continue;
    checker.check(*value, property.value, Path(property.key.text()),
                  before ? before->member(property.key.text()) : std::nullopt);
  }
  found.drop_repeated();  // an error that two schemas report counts once
  errors.append(std::move(found));
}

}  // namespace fixpoint::apiserver::custom
