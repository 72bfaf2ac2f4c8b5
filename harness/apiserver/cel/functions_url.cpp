#include <algorithm>
#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/text/addresses.h"
#include "harness/apiserver/text/urls.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

struct UrlBox : OpaqueBox {
  explicit UrlBox(Url of) : url(std::move(of)) {}
  std::string_view type_name() const override { return "kubernetes.URL"; }
  std::string_view tag() const override { return "url"; }
  std::string text() const override { return url_text(url); }
  bool equals(const OpaqueBox& other) const override { return text() == other.text(); }
  Url url;
};

const Url& url_of(const Datum& value) { return static_cast<const UrlBox&>(value.opaque()).url; }

Datum call_url(Arguments a, const CallContext&) {
  constexpr const char* kDuring = "URL parse error during conversion from string: ";
  Url url;
  std::string error;
  const std::string_view text = a[0].text();
  if (!read_url(text, true, url, error)) return Datum::error(kDuring + error);
  if (!read_url(text, false, url, error)) return Datum::error(kDuring + error);
  return Datum::of(new UrlBox(std::move(url)));
}
Datum call_is_url(Arguments a, const CallContext&) {
  Url url;
  std::string error;
  return Datum::of(read_url(a[0].text(), true, url, error));
}

Datum call_scheme(Arguments a, const CallContext&) { return Datum::of(url_of(a[0]).scheme); }
Datum call_host(Arguments a, const CallContext&) { return Datum::of(url_of(a[0]).host); }
Datum call_host_name(Arguments a, const CallContext&) {
  return Datum::of(split_host(url_of(a[0]).host).first);
}
Datum call_port(Arguments a, const CallContext&) { return Datum::of(split_host(url_of(a[0]).host).second); }
Datum call_escaped_path(Arguments a, const CallContext&) { return Datum::of(escaped_path(url_of(a[0]))); }

Datum call_query(Arguments a, const CallContext&) {
  std::vector<std::pair<std::string, std::vector<Datum>>> found;
  for (auto& [key, value] : query_of(url_of(a[0]).query)) {
    const auto row =
        std::find_if(found.begin(), found.end(), [&](const auto& known) { return known.first == key; });
    if (row != found.end()) {
      row->second.push_back(Datum::of(value));
    } else {
      found.push_back({key, {Datum::of(value)}});
    }
  }
  std::vector<std::pair<Datum, Datum>> entries;
  for (auto& [key, values] : found) entries.emplace_back(Datum::of(key), Datum::of(std::move(values)));
  return Datum::of(std::move(entries));
}

constexpr std::array kUrlBindings = {
    Binding{"string_to_url", call_url},
    Binding{"is_url_string", call_is_url},
    Binding{"url_get_scheme", call_scheme},
    Binding{"url_get_host", call_host},
    Binding{"url_get_hostname", call_host_name},
    Binding{"url_get_port", call_port},
    Binding{"url_get_escaped_path", call_escaped_path},
    Binding{"url_get_query", call_query},
};

}  // namespace

std::span<const Binding> url_bindings() { return kUrlBindings; }

}  // namespace fixpoint::apiserver::cel
