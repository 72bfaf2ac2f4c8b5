#include "harness/apiserver/decoding/decoding_texts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "harness/apiserver/decoding/go_types.h"
#include "harness/document/json.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Text;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes digits from the front.
void skip_digits(std::string_view& text) {
  while (!text.empty() && is_decimal_digit(text.front())) text.remove_prefix(1);
}

/// The suffix of a quantity, or nothing if the text has not the form of one.
std::optional<std::string_view> suffix_of(std::string_view text) {
  const auto skip_sign = [&] {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  };
  skip_sign();
  skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip_digits(text);
  }
  const std::string_view suffix = text;
  text.remove_prefix(std::min(text.find_first_not_of("eEinumkKMGTP"), text.size()));
  skip_sign();
  skip_digits(text);
  return text.empty() ? std::optional(suffix) : std::nullopt;
}

bool is_known_suffix(std::string_view suffix) {
  constexpr std::string_view kSuffixes[] = {"",  "n", "u",  "m",  "k",  "M",  "G",  "T",
                                            "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix) != std::end(kSuffixes)) return true;
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return false;
  std::int64_t exponent = 0;
  suffix.remove_prefix(suffix[1] == '+' ? 2 : 1);
  const auto [end, problem] = std::from_chars(suffix.data(), suffix.data() + suffix.size(), exponent);
  return problem == std::errc() && end == suffix.data() + suffix.size();
}

/// A text in quotes as Go's package time writes it: bytes beyond ASCII and control characters in hexadecimal.
std::string time_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte >= 0x80) {
      ((out += "\\x") += kHex[byte >> 4]) += kHex[byte & 0xF];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out += '"';
}

/// Reads a time by the layout of RFC 3339, element by element, as Go's time.Parse does.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : text_(text), rest_(text) {}

  std::string refusal() {
    int year = 0, month = 0, day = 0;
    if (!read_year(year) || !literal("-") || !number("01", true, month)) return refusal_;
    if (month < 1 || month > 12) return out_of_range(Text("parsing time {}: month out of range"));
    if (!literal("-") || !number("02", true, day) || !literal("T")) return refusal_;
    int hour = 0, minute = 0, second = 0;
    if (!number("15", false, hour)) return refusal_;
    if (hour > 23) return out_of_range(Text("parsing time {}: hour out of range"));
    if (!literal(":") || !number("04", true, minute)) return refusal_;
    if (minute > 59) return out_of_range(Text("parsing time {}: minute out of range"));
    if (!literal(":") || !number("05", true, second)) return refusal_;
    if (second > 59) return out_of_range(Text("parsing time {}: second out of range"));
    skip_fraction_of_second();
    if (!read_zone()) return refusal_;
    if (!rest_.empty()) {
      return Text("parsing time {}: extra text: {}").with({time_quoted(text_), time_quoted(rest_)});
    }
    return out_of_range(Text("parsing time {}: day out of range"));  // all else is right
  }

 private:
  std::string out_of_range(Text text) { return text.with({time_quoted(text_)}); }
  bool fail(std::string_view value, std::string_view element) {
    refusal_ = Text("parsing time {} as \"2006-01-02T15:04:05Z07:00\": cannot parse {} as {}")
                   .with({time_quoted(text_), time_quoted(value), time_quoted(element)});
    return false;
  }
  bool literal(std::string_view c) {
    if (!rest_.starts_with(c)) return fail(rest_, c);
    rest_.remove_prefix(1);
    return true;
  }
  bool has_digit(std::size_t at) const { return at < rest_.size() && is_decimal_digit(rest_[at]); }
  bool number(std::string_view element, bool is_fixed, int& out) {
    if (!has_digit(0) || (is_fixed && !has_digit(1))) return fail(rest_, element);
    out = rest_[0] - '0';
    if (has_digit(1)) out = out * 10 + (rest_[1] - '0');
    rest_.remove_prefix(has_digit(1) ? 2 : 1);
    return true;
  }
  bool read_year(int& out) {
    for (std::size_t i = 0; i < 4; ++i) {
      if (!has_digit(i)) return fail(rest_, "2006");
      out = out * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(4);
    return true;
  }
  void skip_fraction_of_second() {
    if (!rest_.starts_with('.') && !rest_.starts_with(',')) return;
    if (!has_digit(1)) return;
    rest_.remove_prefix(1);
    skip_digits(rest_);
  }
  bool read_zone() {
    if (rest_.starts_with('Z')) return (rest_.remove_prefix(1), true);
    const std::string_view held = rest_;
    if (rest_.size() < 6 || rest_[3] != ':') return fail(held, "Z07:00");
    const auto pair = [&](std::size_t at) { return has_digit(at) && has_digit(at + 1); };
    const auto value = [&](std::size_t at) { return (rest_[at] - '0') * 10 + (rest_[at + 1] - '0'); };
    if (pair(1) && value(1) > 24)
      return zone_out_of_range(Text("parsing time {}: time zone offset hour out of range"));
    if (pair(4) && value(4) > 60) {
      return zone_out_of_range(Text("parsing time {}: time zone offset minute out of range"));
    }
    if (!pair(1) || !pair(4) || (rest_[0] != '+' && rest_[0] != '-')) return fail(held, "Z07:00");
    rest_.remove_prefix(6);
    return true;
  }
  bool zone_out_of_range(Text text) { return (refusal_ = out_of_range(text), false); }

  std::string_view text_, rest_;
  std::string refusal_ = {};
};

}  // namespace

std::string quantity_refusal(std::string_view text) {
  const auto suffix = text.empty() ? std::nullopt : suffix_of(text);
  if (!suffix) {
    return std::string(
        Text("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
            .words());
  }
  if (!is_known_suffix(*suffix)) return Text("unable to parse quantity's suffix").with({});
  return Text("unable to parse numeric part of quantity").with({});
}

std::string time_refusal(std::string_view text) { return TimeReader(text).refusal(); }

std::string refusal_of(Shape shape, const document::Value& sent) {
  if (shape == Shape::time && sent.is_string()) return time_refusal(sent.text());
  if (shape != Shape::quantity) return {};
  return quantity_refusal(sent.is_string() ? std::string(sent.text()) : document::write_json(sent));
}

std::string_view decoding_sketch(std::string_view said) {
  if (said.starts_with("no kind ")) return "no such kind is registered";
  if (said.starts_with("couldn't get version/kind") || said.starts_with("unexpected GroupVersion")) {
    return "apiVersion or kind are no strings, or make no group version";
  }
  constexpr std::string_view kOther = "a value of another type, or out of its range", kType = " of type ";
  const auto at = said.rfind(kType);
  if (!said.starts_with("json: cannot unmarshal") || at == std::string_view::npos) return kOther;
  const std::string_view type = said.substr(at + kType.size());
  if (type.starts_with("[]")) return "not a list";
  if (type.starts_with("map[") || type == "v1.ResourceList") return "not a map";
  return type.starts_with("v1.") && !is_named_text(type) ? "not an object" : kOther;
}

std::string refused_kind(Shape shape, const document::Value& sent) {
  const bool is_integer = shape == Shape::int32 || shape == Shape::int64 || shape == Shape::int_or_text;
  std::string kind(document::go_kind(sent));
  return sent.is_number() && is_integer ? kind.append(" ").append(sent.text()) : kind;
}

}  // namespace fixpoint::apiserver
