#include "harness/apiserver/decoding/scalar.h"

#include <limits>
#include <string>
#include <string_view>

#include "harness/apiserver/decoding/timestamp.h"
#include "harness/apiserver/types/quantity.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;

/// The server rewrites the text, so an unusual escape is lost.
bool decode_text(const Value& sent, Value& out) {
  if (!sent.is_string()) return false;
  out = sent.spelling().empty() ? sent : Value(sent.text());
  return true;
}

bool decode_integer(const Value& sent, std::int64_t low, std::int64_t high, Value& out) {
  const auto number = sent.integer();
  if (!number || *number < low || *number > high) return false;
  out = sent.text() == "-0" ? Value(0) : sent;
  return true;
}

bool decode_int32(const Value& sent, Value& out) {
  using Limits = std::numeric_limits<std::int32_t>;
  return decode_integer(sent, Limits::min(), Limits::max(), out);
}

/// The blanks of Go's strings.TrimSpace that can appear unescaped in a JSON string.
constexpr std::string_view kBlanks[] = {
    " ",
    "\xC2\x85",
    "\xC2\xA0",
    "\xE1\x9A\x80",
    "\xE2\x80\x80",
    "\xE2\x80\x81",
    "\xE2\x80\x82",
    "\xE2\x80\x83",
    "\xE2\x80\x84",
    "\xE2\x80\x85",
    "\xE2\x80\x86",
    "\xE2\x80\x87",
    "\xE2\x80\x88",
    "\xE2\x80\x89",
    "\xE2\x80\x8A",
    "\xE2\x80\xA8",
    "\xE2\x80\xA9",
    "\xE2\x80\xAF",
    "\xE2\x81\x9F",
    "\xE3\x80\x80",
};

std::string_view trim(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view blank : kBlanks) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size()), again = true;
      if (text.ends_with(blank)) text.remove_suffix(blank.size()), again = true;
    }
  }
  return text;
}

/// The server parses the raw bytes between the quotes, so an escaped digit is not accepted.
bool decode_quantity(const Value& sent, Value& out) {
  if (sent.is_null()) return (out = zero_scalar(Shape::quantity), true);
  if (!sent.is_string() && !sent.is_number()) return false;
  std::string_view text = sent.text();
  if (const auto spelling = sent.spelling(); !spelling.empty())
    text = spelling.substr(1, spelling.size() - 2);
  const bool is_padded = !text.empty() && (text.front() < '+' || text.back() < '+');
  const std::string_view trimmed = is_padded ? trim(text) : text;
  std::string buffer;
  const auto canonical = canonical_quantity(trimmed, buffer);
  if (!canonical) return false;
  out = sent.is_string() && *canonical == sent.text() ? sent : Value(*canonical);
  return true;
}

bool decode_time(const Value& sent, Value& out) {
  if (sent.is_null()) return (out = Value(), true);
  if (!sent.is_string()) return false;
  const auto text = canonical_time(sent.text());
  if (!text) return false;
  out = text->empty() ? Value() : *text == sent.text() && sent.spelling().empty() ? sent : Value(*text);
  return true;
}

}  // namespace

bool decode_scalar(Shape shape, const Value& sent, Value& out) {
  switch (shape) {
    case Shape::text:
      return decode_text(sent, out);
    case Shape::boolean:
      return sent.is_boolean() && (out = sent, true);
    case Shape::int32:
      return decode_int32(sent, out);
    case Shape::int64: {
      using Limits = std::numeric_limits<std::int64_t>;
      return decode_integer(sent, Limits::min(), Limits::max(), out);
    }
    case Shape::quantity:
      return decode_quantity(sent, out);
    case Shape::time:
      return decode_time(sent, out);
    case Shape::int_or_text:
      if (sent.is_null()) return (out = Value(0), true);
      return decode_text(sent, out) || decode_int32(sent, out);
    case Shape::raw:
      return (out = sent, true);
    case Shape::object:
      break;
  }
  return false;
}

Value zero_scalar(Shape shape) {
  thread_local const Value empty_text(""), zero(0), zero_quantity("0");
  switch (shape) {
    case Shape::text:
      return empty_text;
    case Shape::boolean:
      return Value(false);
    case Shape::int32:
    case Shape::int64:
    case Shape::int_or_text:
      return zero;
    case Shape::quantity:
      return zero_quantity;
    case Shape::time:
    case Shape::raw:
    case Shape::object:
      break;
  }
  return {};
}

}  // namespace fixpoint::apiserver
