#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/environment.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/decoding/string_formats.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/text/urls.h"
#include "harness/document/base64.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;
using Complaints = std::vector<std::string>;

/// The check of a format that metadata has, too. A name that still gets a suffix may end in a dash.
template <validation::Problems (*kCheck)(std::string_view), bool kIsPrefix = false>
Complaints check_name(std::string_view text) {
  std::string masked(text);
  if (kIsPrefix && text.size() >= 2 && text.ends_with('-')) masked.replace(text.size() - 2, 2, "a");
  Complaints complaints;
  for (const document::Text& problem : kCheck(masked)) complaints.emplace_back(problem.words());
  return complaints;
}

Complaints unless(bool is_valid, const char* message) {
  return is_valid ? Complaints{} : Complaints{message};
}

Complaints check_uri(std::string_view text) {
  Url url;
  std::string error;
  return read_url(text, true, url, error) ? Complaints{} : Complaints{error};
}
/// A format that schemas have, too.
Complaints check_format(std::string_view text, std::string_view format, const char* message) {
  return unless(has_format(text, format, kNewestMinor), message);
}
Complaints check_uuid(std::string_view text) {
  return check_format(text, "uuid", "does not match the UUID format");
}
Complaints check_byte(std::string_view text) {
  return unless(!text.empty() && document::decode_base64(text).has_value(), "invalid base64");
}
Complaints check_date(std::string_view text) { return check_format(text, "date", "invalid date"); }
Complaints check_date_time(std::string_view text) {
  return check_format(text, "datetime", "invalid datetime");
}

struct NamedFormat {
  const char* name;       ///< in format.NAME
  const char* full_name;  ///< of the value
  Complaints (*check)(std::string_view text);
  std::uint64_t pattern_size;  ///< that the server counts for its cost
};
/// apiserver/pkg/cel/library/format.go ConstantFormats.
constexpr std::array kNamedFormats = {
    NamedFormat{"dns1123Label", "DNS1123Label", check_name<validation::check_dns_label>, 30},
    NamedFormat{"dns1123Subdomain", "DNS1123Subdomain", check_name<validation::check_dns_subdomain>, 60},
    NamedFormat{"dns1035Label", "DNS1035Label", check_name<validation::check_dns_1035_label>, 30},
    NamedFormat{"qualifiedName", "QualifiedName", check_name<validation::check_qualified_name>, 60},
    NamedFormat{"dns1123LabelPrefix", "DNS1123LabelPrefix", check_name<validation::check_dns_label, true>,
                30},
    NamedFormat{"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix",
                check_name<validation::check_dns_subdomain, true>, 60},
    NamedFormat{"dns1035LabelPrefix", "DNS1035LabelPrefix",
                check_name<validation::check_dns_1035_label, true>, 30},
    NamedFormat{"labelValue", "LabelValue", check_name<validation::check_label_value>, 40},
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

std::uint64_t format_pattern_size(const Datum& format) {
  const bool is_format = format.is(Kind::opaque) && format.opaque().tag() == "format";
  return is_format ? format_of(format).pattern_size : 0;
}

std::span<const Binding> named_format_bindings() { return kNamedFormatBindings; }

}  // namespace fixpoint::apiserver::cel
