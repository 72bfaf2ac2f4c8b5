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

/// What a scalar means in go-yaml v2.
struct YamlScalar {
  enum class Type { null, boolean, integer, floating, string };
  Type type = Type::string;
  bool truth = false;
  std::string digits = {};  ///< of an integer, decimal
  double number = 0;        ///< of a floating one; may be infinite or no number
};

/// The meaning of a scalar without tag and quotes.
YamlScalar resolve_plain_scalar(std::string_view text);

/// The JSON value of a scalar as json.Marshal writes it.
Result<Value> scalar_value(std::string_view tag, std::string_view text);
/// The name that a scalar gives a member.
Result<std::string> scalar_key(std::string_view tag, std::string_view text);

}  // namespace fixpoint::document
