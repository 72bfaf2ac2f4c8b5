#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// Tags as the YAML parser reports them: `?` for plain scalars and `!` for quoted and block ones without a
/// tag.
inline constexpr std::string_view kPlainTag = "?";
inline constexpr std::string_view kQuotedTag = "!";
/// Ours: the scalar is a JSON number and keeps its text.
inline constexpr std::string_view kNumberTag = "!number";

/// The meaning of a scalar in go-yaml v2.
struct YamlScalar {
  enum class Type { null, boolean, integer, floating, string };
  Type type = Type::string;
  bool truth = false;
  std::string digits = {};  ///< the decimal digits of an integer
  double number = 0;        ///< the value of a floating type; may be infinite or NaN
};

/// The meaning of a scalar without tag and quotes.
YamlScalar resolve_plain_scalar(std::string_view text);

/// The JSON value of a scalar as json.Marshal writes it.
Result<Value> scalar_value(std::string_view tag, std::string_view text);
/// The member name that a scalar key becomes.
Result<std::string> scalar_key(std::string_view tag, std::string_view text);

}  // namespace fixpoint::document
