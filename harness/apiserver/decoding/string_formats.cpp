#include "harness/apiserver/decoding/string_formats.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "harness/apiserver/text/addresses.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/text/ip.h"
#include "harness/apiserver/text/urls.h"
#include "harness/document/lower_case.h"

namespace fixpoint::apiserver {

namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// Each expression is compiled once.
bool matches(std::string_view text, const RE2& expression) { return RE2::PartialMatch(piece(text),
                                                                                      expression); }

bool is_uri(std::string_view text) {
  cel::Url url;
  std::string error;
  return cel::read_url(text, true, url, error);
}

/// One label, or several of which the last has letters alone.
bool is_hostname(std::string_view text) {
  static const RE2 kOnly(R"(^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]*$)"),
      kLabel(R"(^[a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]*[a-zA-Z0-9\p{S}\p{L}])?$)"),
      kLast(R"(^[a-zA-Z\p{L}]{2,}$)");
  constexpr std::size_t kBytesMax = 255, kLabelBytesMax = 63;
  if (text.size() > kBytesMax) return false;
  const bool is_one = text.find('.') == std::string_view::npos;
  while (true) {
    const auto dot = text.find('.');
    const bool is_last = dot == std::string_view::npos;
    const std::string_view label = text.substr(0, dot);
    const RE2& expression = is_one ? kOnly : is_last ? kLast : kLabel;
    if (label.size() > kLabelBytesMax || !matches(label, expression)) return false;
    if (is_last) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_ipv4(std::string_view text) { return text.find('.') != std::string_view::npos &&
    parse_ip(text).has_value(); }
bool is_ipv6(std::string_view text) { return text.find(':') != std::string_view::npos &&
    parse_ip(text).has_value(); }

bool is_cidr(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || !parse_ip(text.substr(0, slash))) return false;
  const std::string_view bits = text.substr(slash + 1);
  static const RE2 kExpression("^[0-9]{1,3}$");
  const int most = text.substr(0, slash).find(':') == std::string_view::npos ? 32 : 128;
  return matches(bits, kExpression) && std::stoi(std::string(bits)) <= most;
}

/// net.ParseMAC: 6, 8 or 20 bytes.
bool is_mac(std::string_view text) {
  static const RE2 kPairs("^([0-9a-fA-F]{2}:)+[0-9a-fA-F]{2}$|^([0-9a-fA-F]{2}-)+[0-9a-fA-F]{2}$"),
      kQuads(R"(^([0-9a-fA-F]{4}\.)+[0-9a-fA-F]{4}$)");
  const std::size_t bytes = matches(text, kPairs)   ? (text.size() + 1) / 3
                            : matches(text, kQuads) ? (text.size() + 1) / 5 * 2
                                                    : 0;
  return bytes == 6 || bytes == 8 || bytes == 20;
}

/// Words with dots between them, as a regular expression.
std::string dot_atom() {
  const std::string word = R"re([^\x00-\x20\x7f<>@,;:\\".()\[\]]+)re";
  return word + R"((?:\.)" + word + ")*";
}

/// net/mail's ParseAddress, but for comments: an address, or a name and an address in angle brackets.
bool is_email(std::string_view text) {
  static const RE2 kNamed(
      R"re(^\s*(?:"(?:[^"\\]|\\.)*"|[^\s<>@,;:\\"()\[\]]+)?\s*)re"
      R"re((?:[^\s<>@,;:\\"()\[\]]+\s*)*<([^<>]+)>\s*$)re");
  static const RE2 kAddress("^(?:" + dot_atom() + R"re(|"(?:[^"\\]|\\.)+")@(?:)re" + dot_atom() +
                            R"re(|\[[^\[\]\\]*\])$)re");
  std::string address;
  if (!RE2::FullMatch(piece(text), kNamed, &address)) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    if (first == std::string_view::npos) return false;
    address = text.substr(first, last - first + 1);
  }
  return matches(address, kAddress);
}

bool is_uuid(std::string_view text) {
  static const RE2 kExpression("(?i)^[0-9A-F]{8}-?[0-9A-F]{4}-?[0-9A-F]{4}-?[0-9A-F]{4}-?[0-9A-F]{12}$");
  return matches(text, kExpression);
}
bool is_uuid3(std::string_view text) {
  static const RE2 kExpression("(?i)^[0-9A-F]{8}-?[0-9A-F]{4}-?3[0-9A-F]{3}-?[0-9A-F]{4}-?[0-9A-F]{12}$");
  return matches(text, kExpression);
}
bool is_uuid4(std::string_view text) {
  static const RE2 kExpression(
      "(?i)^[0-9A-F]{8}-?[0-9A-F]{4}-?4[0-9A-F]{3}-?[89AB][0-9A-F]{3}-?[0-9A-F]{12}$");
  return matches(text, kExpression);
}
bool is_uuid5(std::string_view text) {
  static const RE2 kExpression(
      "(?i)^[0-9A-F]{8}-?[0-9A-F]{4}-?5[0-9A-F]{3}-?[89AB][0-9A-F]{3}-?[0-9A-F]{12}$");
  return matches(text, kExpression);
}

std::string without(std::string_view text, std::string_view dropped) {
  std::string rest;
  for (const char c : text)
    if (dropped.find(c) == std::string_view::npos) rest += c;
  return rest;
}

bool is_isbn10(std::string_view text) {
  static const RE2 kExpression("^([0-9]{9}X|[0-9]{10})$");
  const std::string digits = without(text, " \t-");
  if (!matches(digits, kExpression)) return false;
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += (i + 1) * (digits[static_cast<std::size_t>(i)] == 'X' ? 10
                                                 : digits[static_cast<std::size_t>(i)] - '0');
  return sum % 11 == 0;
}
bool is_isbn13(std::string_view text) {
  static const RE2 kExpression("^[0-9]{13}$");
  const std::string digits = without(text, " \t-");
  if (!matches(digits, kExpression)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 13; ++i) sum += (i % 2 == 0 ? 1 : 3) * (digits[i] - '0');
  return sum % 10 == 0;
}
bool is_isbn(std::string_view text) { return is_isbn10(text) || is_isbn13(text); }

bool is_credit_card(std::string_view text) {
  static const RE2 kExpression(
      "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)"
      "[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|"
      "(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14}|^(81[0-9]{14,17}))$");
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  if (!matches(digits, kExpression)) return false;
  int sum = 0;
  bool is_doubled = false;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, is_doubled = !is_doubled) {
    const int value = (*digit - '0') * (is_doubled ? 2 : 1);
    sum += value >= 10 ? value % 10 + 1 : value;
  }
  return sum % 10 == 0;
}

bool is_ssn(std::string_view text) {
  static const RE2 kExpression("^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$");
  return matches(text, kExpression);
}
bool is_object_id(std::string_view text) {
  static const RE2 kExpression("^[0-9a-fA-F]{24}$");
  return matches(text, kExpression);
}
bool is_hex_color(std::string_view text) {
  static const RE2 kExpression("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$");
  return matches(text, kExpression);
}
bool is_rgb_color(std::string_view text) {
  const std::string part = R"(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*)";
  static const RE2 kExpression(R"(^rgb\()" + part + "," + part + "," + part + R"(\)$)");
  return matches(text, kExpression);
}
bool is_base64(std::string_view text) {
  static const RE2 kExpression(
      "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$");
  return matches(text, kExpression);
}
bool is_date(std::string_view text) { return read_date_format(text).has_value(); }

/// strfmt.IsDateTime, which reads more than ParseDateTime does.
bool is_date_time(std::string_view text) {
  static const RE2 kTime(
      "^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|(?:[+-][0-9]{2}:[0-9]{2}))$");
  const std::string small = document::lower_case(text);
  const auto at = small.find('t');
  if (text.size() < 4 || at == std::string::npos ||
      !is_date(std::string_view(small).substr(0, at))) return false;
  std::string time = small.substr(at + 1), hour, minute, second;
  time.resize(std::min(time.find('t'), time.size()));
  return RE2::PartialMatch(time, kTime, &hour, &minute, &second) && hour <= "23" && minute <= "59" &&
         second <= "59";
}

bool is_short_name(std::string_view text) { return validation::check_dns_label(text).empty(); }
bool is_long_name(std::string_view text) { return validation::check_dns_subdomain(text).empty(); }

struct Format {
  std::string_view name;
  bool (*check)(std::string_view text);
  int since = 0;  ///< the first minor that knows it
};
constexpr int kNamesKnown = 34;
constexpr std::array kFormats = {Format{"bsonobjectid", is_object_id},
                                 Format{"uri", is_uri},
                                 Format{"email", is_email},
                                 Format{"hostname", is_hostname},
                                 Format{"ipv4", is_ipv4},
                                 Format{"ipv6", is_ipv6},
                                 Format{"cidr", is_cidr},
                                 Format{"mac", is_mac},
                                 Format{"uuid", is_uuid},
                                 Format{"uuid3", is_uuid3},
                                 Format{"uuid4", is_uuid4},
                                 Format{"uuid5", is_uuid5},
                                 Format{"isbn", is_isbn},
                                 Format{"isbn10", is_isbn10},
                                 Format{"isbn13", is_isbn13},
                                 Format{"creditcard", is_credit_card},
                                 Format{"ssn", is_ssn},
                                 Format{"hexcolor", is_hex_color},
                                 Format{"rgbcolor", is_rgb_color},
                                 Format{"byte", is_base64},
                                 Format{"date", is_date},
                                 Format{"date-time", is_date_time},
                                 Format{"datetime", is_date_time},
                                 Format{"k8s-short-name", is_short_name, kNamesKnown},
                                 Format{"k8s-long-name", is_long_name, kNamesKnown}};

}  // namespace

bool is_string_format(std::string_view format, int minor) {
  return std::any_of(kFormats.begin(), kFormats.end(),
                     [&](const Format& one) { return one.name == format && minor >= one.since; });
}

bool has_format(std::string_view text, std::string_view format, int minor) {
  const auto row = std::find_if(kFormats.begin(), kFormats.end(),
                                [&](const Format& one) { return one.name == format; });
  return row == kFormats.end() || minor < row->since || row->check(text);
}

std::optional<Timestamp> read_date_format(std::string_view text) {
  constexpr std::size_t kSize = 10;
  return text.size() == kSize ? read_timestamp(std::string(text) + "T00:00:00Z") : std::nullopt;
}

std::optional<Timestamp> read_date_time_format(std::string_view text) {
  auto time = read_timestamp(text);
  return time ? time : read_timestamp(std::string(text) + "Z");
}

}  // namespace fixpoint::apiserver
