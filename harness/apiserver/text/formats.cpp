#include "harness/apiserver/text/formats.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace fixpoint::apiserver::validation {

namespace {

using document::Text;

/// The class of a character, from a table because names are checked more often than anything else.
enum Class : std::uint8_t { kDigit = 1, kLower = 2, kUpper = 4, kDash = 8, kUnderscore = 16, kDot = 32 };
constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  classes['-'] = kDash;
  classes['_'] = kUnderscore;
  classes['.'] = kDot;
  return classes;
}();
constexpr unsigned kLowerAlnum = kLower | kDigit, kAlnum = kLowerAlnum | kUpper;

bool is(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }
bool all(std::string_view text, unsigned classes) {
  return std::all_of(text.begin(), text.end(), [classes](char c) { return is(c, classes); });
}
bool is_digit(char c) { return is(c, kDigit); }
bool is_lower(char c) { return is(c, kLower); }
bool is_upper(char c) { return is(c, kUpper); }
bool is_lower_alnum(char c) { return is(c, kLowerAlnum); }
bool is_alnum(char c) { return is(c, kAlnum); }

template <class Test>
bool all(std::string_view text, Test test) {
  return std::all_of(text.begin(), text.end(), test);
}

template <class Test>
bool each_part(std::string_view text, char separator, Test test) {
  while (true) {
    const auto end = text.find(separator);
    if (!test(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_label(std::string_view text) {
  if (text.empty() || !is_lower_alnum(text.front()) || !is_lower_alnum(text.back())) return false;
  return all(text, kLowerAlnum | kDash);
}

bool is_underscored_label(std::string_view text) {
  if (text.starts_with('_')) text.remove_prefix(1);
  if (text.empty() || !is_lower_alnum(text.front()) || !is_lower_alnum(text.back())) return false;
  return all(text, kLowerAlnum | kDash | kUnderscore);
}

constexpr std::size_t kSubdomainMax = 253;
constexpr Text kSubdomainTooLong("must be no more than 253 characters");

bool is_subdomain(std::string_view text) { return each_part(text, '.', is_label); }

bool is_label_key_name(std::string_view text) {
  if (text.empty() || !is_alnum(text.front()) || !is_alnum(text.back())) return false;
  return all(text, kAlnum | kDash | kUnderscore | kDot);
}

void check_dot_names(std::string_view text, Problems& problems) {
  if (text == ".") {
    problems.add(Text("must not be '.'"));
  } else if (text == "..") {
    problems.add(Text("must not be '..'"));
  } else if (text.starts_with("..")) {
    problems.add(Text("must not start with '..'"));
  }
}

// The texts of IsDNS1123Label and its like in k8s.io/apimachinery/pkg/util/validation and, of keys and values
// of labels, in pkg/api/validate/content.
constexpr Text kLabel(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
constexpr Text kLabel1035(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
constexpr Text kSubdomain(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
constexpr Text kUnderscoredSubdomain(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and "
    "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')");
constexpr Text kPrefixSubdomain(
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
constexpr Text kKeyName(
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
constexpr Text kKey(
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with "
    "an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. "
    "'example.com/MyName')");
constexpr Text kLabelValue(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");

}  // namespace

char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

Problems check_dns_label(std::string_view text) {
  Problems problems;
  if (text.size() > 63) problems.add(Text("must be no more than 63 characters"));
  if (!is_label(text)) problems.add(is_subdomain(text) ? Text("must not contain dots") : kLabel);
  return problems;
}

Problems check_dns_1035_label(std::string_view text) {
  Problems problems;
  if (text.size() > 63) problems.add(Text("must be no more than 63 characters"));
  if (!is_label(text) || !is_lower(text.front())) problems.add(kLabel1035);
  return problems;
}

Problems check_dns_subdomain(std::string_view text) {
  Problems problems;
  if (text.size() > kSubdomainMax) problems.add(kSubdomainTooLong);
  if (!is_subdomain(text)) problems.add(kSubdomain);
  return problems;
}

Problems check_dns_subdomain_with_underscore(std::string_view text) {
  Problems problems;
  if (text.size() > kSubdomainMax) problems.add(kSubdomainTooLong);
  if (!each_part(text, '.', is_underscored_label)) problems.add(kUnderscoredSubdomain);
  return problems;
}

namespace {

/// The character before a trailing dash is not looked at either (maskTrailingDash of
/// api/validation/generic.go).
std::string mask_trailing_dash(std::string_view text) {
  std::string masked(text);
  if (text.size() > 1 && text.ends_with('-')) masked.replace(text.size() - 2, 2, "a");
  return masked;
}

}  // namespace

Problems check_generate_name(std::string_view text) { return check_dns_subdomain(mask_trailing_dash(text)); }
Problems check_generated_label(std::string_view text) { return check_dns_label(mask_trailing_dash(text)); }

Problems check_qualified_name(std::string_view text) {
  Problems problems;
  const auto slash = text.find('/');
  std::string_view name = text;
  if (slash != std::string_view::npos) {
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      problems.add(kKey);
      return problems;
    }
    if (slash == 0) {
      problems.add(Text("prefix part must be non-empty"));
    } else {
      const std::string_view prefix = text.substr(0, slash);
      if (prefix.size() > kSubdomainMax) problems.add(Text("prefix part must be no more than 253 bytes"));
      if (!is_subdomain(prefix)) problems.add(kPrefixSubdomain);
    }
  }
  if (name.empty()) {
    problems.add(Text("name part must be non-empty"));
  } else if (name.size() > 63) {
    problems.add(Text("name part must be no more than 63 bytes"));
  }
  if (!is_label_key_name(name)) problems.add(kKeyName);
  return problems;
}

Problems check_qualified_name_lowered(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), is_upper)) return check_qualified_name(text);
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  return check_qualified_name(lowered);
}

Problems check_label_value(std::string_view text) {
  Problems problems;
  if (text.size() > 63) problems.add(Text("must be no more than 63 bytes"));
  if (!text.empty() && !is_label_key_name(text)) problems.add(kLabelValue);
  return problems;
}

Problems check_port_name(std::string_view text) {
  Problems problems;
  if (text.size() > 15) problems.add(Text("must be no more than 15 characters"));
  if (text.empty() || !all(text, [](char c) { return is_lower_alnum(c) || c == '-'; })) {
    problems.add(Text("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"));
  }
  if (std::none_of(text.begin(), text.end(), is_lower))
    problems.add(Text("must contain at least one letter (a-z)"));
  if (text.find("--") != std::string_view::npos) problems.add(Text("must not contain consecutive hyphens"));
  if (!text.empty() && (text.front() == '-' || text.back() == '-'))
    problems.add(Text("must not begin or end with a hyphen"));
  return problems;
}

Problems check_env_name(std::string_view text) {
  Problems problems;
  const auto may_begin = [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; };
  if (text.empty() || is_digit(text.front()) || !all(text, may_begin)) {
    problems.add(
        Text("a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or "
             "'.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', "
             "regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')"));
  }
  check_dot_names(text, problems);
  return problems;
}

Problems check_relaxed_env_name(std::string_view text) {
  Problems problems;
  if (text.empty()) problems.add(Text("environment variable name must be non-empty"));
  if (!all(text, [](char c) { return c >= ' ' && c <= '~' && c != '='; })) {
    problems.add(Text(
        "a valid environment variable name must consist only of printable ASCII characters other than '='"));
  }
  return problems;
}

Problems check_config_key(std::string_view text) {
  Problems problems;
  if (text.size() > kSubdomainMax) problems.add(kSubdomainTooLong);
  if (text.empty() || !all(text, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; })) {
    problems.add(
        Text("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  "
             "or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"));
  }
  check_dot_names(text, problems);
  return problems;
}

Problems check_http_header_name(std::string_view text) {
  Problems problems;
  if (text.empty() || !all(text, [](char c) { return is_alnum(c) || c == '-'; })) {
    problems.add(
        Text("a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', "
             "regex used for validation is '[-A-Za-z0-9]+')"));
  }
  return problems;
}

Problems check_sysctl_name(std::string_view text) {
  const auto is_segment = [](std::string_view part) {
    if (part.empty() || !is_lower_alnum(part.front()) || !is_lower_alnum(part.back())) return false;
    return all(part, [](char c) { return is_lower_alnum(c) || c == '-' || c == '_'; });
  };
  const auto is_dotted = [&](std::string_view part) { return each_part(part, '.', is_segment); };
  Problems problems;
  if (text.size() > 253 || !each_part(text, '/', is_dotted)) {
    problems.add(
        Text("must have at most 253 characters and match regex "
             "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"));
  }
  return problems;
}

Problems check_no_backsteps(std::string_view text) {
  Problems problems;
  if (!each_part(text, '/', [](std::string_view part) { return part != ".."; })) {
    problems.add(Text("must not contain '..'"));
  }
  return problems;
}

Problems check_descending_path(std::string_view text) {
  Problems problems;
  if (text.starts_with('/')) problems.add(Text("must be a relative path"));
  for (const Text& problem : check_no_backsteps(text)) problems.add(problem);
  return problems;
}

Problems check_non_reserved_path(std::string_view text) {
  Problems problems = check_descending_path(text);
  if (text.starts_with("..") && !text.starts_with("../")) problems.add(Text("must not start with '..'"));
  return problems;
}

Problems check_path_segment(std::string_view text, bool is_prefix) {
  Problems problems;
  if (!is_prefix && (text == "." || text == "..")) {
    problems.add(text == "." ? Text("may not be '.'") : Text("may not be '..'"));
    return problems;
  }
  if (text.find('/') != std::string_view::npos) problems.add(Text("may not contain '/'"));
  if (text.find('%') != std::string_view::npos) problems.add(Text("may not contain '%'"));
  return problems;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool is_padded(std::string_view text) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (text.empty() || (is_plain(text.front()) && is_plain(text.back()))) return false;
  constexpr std::string_view kBlanks[] = {" ",
                                          "\t",
                                          "\n",
                                          "\v",
                                          "\f",
                                          "\r",
                                          "\xC2\x85",
                                          "\xC2\xA0",
                                          "\xE1\x9A\x80",
                                          "\xE2\x80\xA8",
                                          "\xE2\x80\xA9",
                                          "\xE2\x80\xAF",
                                          "\xE2\x81\x9F",
                                          "\xE3\x80\x80"};
  const auto is_thin = [](std::string_view three) {  // U+2000 to U+200A
    return three.size() == 3 && three.starts_with("\xE2\x80") &&
           static_cast<unsigned char>(three[2]) - 0x80u <= 0x0Au;
  };
  if (text.size() >= 3 && (is_thin(text.substr(0, 3)) || is_thin(text.substr(text.size() - 3)))) return true;
  return std::any_of(std::begin(kBlanks), std::end(kBlanks), [&](std::string_view blank) {
    return text.starts_with(blank) || text.ends_with(blank);
  });
}

}  // namespace fixpoint::apiserver::validation
