#include <re2/re2.h>

#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/named_formats.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/cel/times.h"
#include "harness/apiserver/cel/urls.h"
#include "harness/document/base64.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;
using Complaints = std::vector<std::string>;

constexpr const char* kLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kSubdomainPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr const char* kLabel1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kNamePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr const char* kValuePattern = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
constexpr const char* kUuidPattern = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";

constexpr const char* kLabelMessage =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr const char* kSubdomainMessage =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr const char* kLabel1035Message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr const char* kNameMessage =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char* kValueMessage =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
    "validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_whole_match(std::string_view text, const char* pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

std::string too_long(std::size_t most) {
  return "must be no more than " + std::to_string(most) + " characters";
}

Complaints check_pattern(std::string_view text, std::size_t most, const char* pattern, const char* message) {
  Complaints complaints;
  if (text.size() > most) complaints.push_back(too_long(most));
  if (!is_whole_match(text, pattern)) complaints.emplace_back(message);
  return complaints;
}

Complaints check_label(std::string_view text) {
  Complaints complaints;
  if (text.size() > 63) complaints.push_back(too_long(63));
  if (is_whole_match(text, kLabelPattern)) return complaints;
  complaints.emplace_back(is_whole_match(text, kSubdomainPattern) ? "must not contain dots" : kLabelMessage);
  return complaints;
}
Complaints check_subdomain(std::string_view text) {
  return check_pattern(text, 253, kSubdomainPattern, kSubdomainMessage);
}
Complaints check_label_1035(std::string_view text) {
  return check_pattern(text, 63, kLabel1035Pattern, kLabel1035Message);
}
Complaints check_label_text(std::string_view text) {
  return check_pattern(text, 63, kValuePattern, kValueMessage);
}

Complaints check_qualified(std::string_view text) {
  Complaints complaints;
  const std::size_t slash = text.find('/');
  std::string_view name = text;
  if (slash != std::string_view::npos) {
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {std::string("a valid label key ") + kNameMessage +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    if (slash == 0) complaints.emplace_back("prefix part must be non-empty");
    if (slash > 0) {
      for (const std::string& one : check_subdomain(text.substr(0, slash)))
        complaints.push_back("prefix part " + one);
    }
  }
  if (name.empty()) complaints.emplace_back("name part must be non-empty");
  if (name.size() > 63) complaints.push_back("name part " + too_long(63));
  if (!is_whole_match(name, kNamePattern)) complaints.push_back(std::string("name part ") + kNameMessage);
  return complaints;
}

/// A name that still gets a suffix may end in a dash.
std::string without_dash(std::string_view text) {
  if (text.size() < 2 || !text.ends_with("-")) return std::string(text);
  return std::string(text.substr(0, text.size() - 2)) + "a";
}
Complaints check_label_prefix(std::string_view text) { return check_label(without_dash(text)); }
Complaints check_subdomain_prefix(std::string_view text) { return check_subdomain(without_dash(text)); }
Complaints check_label_1035_prefix(std::string_view text) { return check_label_1035(without_dash(text)); }

Complaints unless(bool is_valid, const char* message) {
  return is_valid ? Complaints{} : Complaints{message};
}

Complaints check_uri(std::string_view text) {
  Url url;
  std::string error;
  return read_url(text, true, url, error) ? Complaints{} : Complaints{error};
}
Complaints check_uuid(std::string_view text) {
  return unless(is_whole_match(text, kUuidPattern), "does not match the UUID format");
}
Complaints check_byte(std::string_view text) {
  return unless(!text.empty() && document::decode_base64(text).has_value(), "invalid base64");
}
bool is_date(std::string_view text) {
  return text.size() == 10 && read_time(std::string(text) + "T00:00:00Z").has_value();
}
Complaints check_date(std::string_view text) { return unless(is_date(text), "invalid date"); }
Complaints check_date_time(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= small.size();) {
    const std::size_t end = std::min(small.find('t', at), small.size());
    parts.push_back(small.substr(at, end - at));
    at = end + 1;
  }
  bool is_valid = text.size() >= 4 && parts.size() >= 2 && is_date(parts[0]);
  if (is_valid) {
    std::string hour, minute, second;
    is_valid = RE2::FullMatch(parts[1],
                              "([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|(?:[+-][0-9]{2}:[0-9]{2}))",
                              &hour, &minute, &second) &&
               hour <= "23" && minute <= "59" && second <= "59";
  }
  return unless(is_valid, "invalid datetime");
}

struct NamedFormat {
  const char* name;       ///< in format.NAME
  const char* full_name;  ///< of the value
  Complaints (*check)(std::string_view text);
  std::uint64_t pattern_size;  ///< that the server counts for its cost
};
/// apiserver/pkg/cel/library/format.go ConstantFormats.
constexpr std::array kNamedFormats = {
    NamedFormat{"dns1123Label", "DNS1123Label", check_label, 30},
    NamedFormat{"dns1123Subdomain", "DNS1123Subdomain", check_subdomain, 60},
    NamedFormat{"dns1035Label", "DNS1035Label", check_label_1035, 30},
    NamedFormat{"qualifiedName", "QualifiedName", check_qualified, 60},
    NamedFormat{"dns1123LabelPrefix", "DNS1123LabelPrefix", check_label_prefix, 30},
    NamedFormat{"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", check_subdomain_prefix, 60},
    NamedFormat{"dns1035LabelPrefix", "DNS1035LabelPrefix", check_label_1035_prefix, 30},
    NamedFormat{"labelValue", "LabelValue", check_label_text, 40},
    NamedFormat{"uri", "URI", check_uri, 1103},
    NamedFormat{"uuid", "uuid", check_uuid, 70},
    NamedFormat{"byte", "byte", check_byte, 84},
    NamedFormat{"date", "date", check_date, 71},
    NamedFormat{"datetime", "datetime", check_date_time, 71},
};

struct FormatBox : OpaqueBox {
  explicit FormatBox(const NamedFormat& of) : format(of) {}
  std::string_view type_name() const override { return "kubernetes.NamedFormat"; }
  std::string_view tag() const override { return "format"; }
  std::string text() const override { return format.full_name; }
  bool equals(const OpaqueBox& other) const override { return text() == other.text(); }
  const NamedFormat& format;
};

const NamedFormat& format_of(const Datum& value) {
  return static_cast<const FormatBox&>(value.opaque()).format;
}

template <std::size_t kIndex>
Datum call_constant_format(Arguments, const CallContext&) {
  return Datum::of(new FormatBox(kNamedFormats[kIndex]));
}

Datum call_named(Arguments a, const CallContext&) {
  for (const NamedFormat& row : kNamedFormats) {
    if (a[0].text() == row.name) return Datum::some(Datum::of(new FormatBox(row)));
  }
  return Datum::none();
}

Datum call_validate(Arguments a, const CallContext&) {
  const Complaints complaints = format_of(a[0]).check(a[1].text());
  if (complaints.empty()) return Datum::none();
  std::vector<Datum> list;
  for (const std::string& one : complaints) list.push_back(Datum::of(one));
  return Datum::some(Datum::of(std::move(list)));
}

constexpr std::array kNamedFormatBindings = {
    Binding{"format.dns1123Label", call_constant_format<0>},
    Binding{"format.dns1123Subdomain", call_constant_format<1>},
    Binding{"format.dns1035Label", call_constant_format<2>},
    Binding{"format.qualifiedName", call_constant_format<3>},
    Binding{"format.dns1123LabelPrefix", call_constant_format<4>},
    Binding{"format.dns1123SubdomainPrefix", call_constant_format<5>},
    Binding{"format.dns1035LabelPrefix", call_constant_format<6>},
    Binding{"format.labelValue", call_constant_format<7>},
    Binding{"format.uri", call_constant_format<8>},
    Binding{"format.uuid", call_constant_format<9>},
    Binding{"format.byte", call_constant_format<10>},
    Binding{"format.date", call_constant_format<11>},
    Binding{"format.datetime", call_constant_format<12>},
    Binding{"format-named", call_named},
    Binding{"format-validate", call_validate},
};

}  // namespace

bool is_dns_label(std::string_view text) { return check_label(text).empty(); }
bool is_dns_subdomain(std::string_view text) { return check_subdomain(text).empty(); }

std::uint64_t format_pattern_size(const Datum& format) {
  const bool is_format = format.is(Kind::opaque) && format.opaque().tag() == "format";
  return is_format ? format_of(format).pattern_size : 0;
}

std::span<const Binding> named_format_bindings() { return kNamedFormatBindings; }

}  // namespace fixpoint::apiserver::cel
