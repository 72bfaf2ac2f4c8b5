#include "harness/apiserver/text/ip.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::size_t kNameserversMax = 3, kSearchesMax = 32, kSearchBytesMax = 2048, kHostnameBytesMax = 64;

void check_ip(std::string_view text, const Path& path, Context& context) {
  const auto address = parse_ip(text);
  if (!address)
    return context.errors.invalid(path, text,
                                  Text("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"));
  if (context.options.minor < gate::kStrictIps) return;
  if (!address->is_strict) context.errors.invalid(path, text, Text("must not have leading 0s"));
  if (address->is_strict && !address->is_v4_text && address->is_mapped()) {
    context.errors.invalid(path, text, Text("must not be an IPv4-mapped IPv6 address"));
  }
}

void check_searches(const Value& searches, const Path& path, Context& context) {
  std::size_t bytes = searches.empty() ? 0 : searches.size() - 1;
  for (const Value& search : searches.elements()) bytes += search.text().size();
  if (searches.size() > kSearchesMax)
    context.errors.invalid(path, searches, Text("must not have more than 32 search paths"));
  if (bytes > kSearchBytesMax)
    context.errors.invalid(
        path, searches,
        Text("must not have more than 2048 characters (including spaces) in the search list"));
  const bool is_relaxed = context.options.uses_relaxed_dns_searches;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    std::string_view search = searches.at(i).text();
    if (is_relaxed && search == ".") continue;
    if (search.ends_with('.')) search.remove_suffix(1);
    context.errors.invalid(
        path.at(i), search,
        is_relaxed ? check_dns_subdomain_with_underscore(search) : check_dns_subdomain(search));
  }
}

}  // namespace

void check_dns(Context& context, const Path& spec_path) {
  const Value& config = context.spec["dnsConfig"];
  const Value& servers = config["nameservers"];
  const Path path = spec_path.child("dnsConfig"), servers_path = path.child("nameservers");
  if (context.spec["dnsPolicy"].text() == "None" && servers.empty()) {
    if (config.is_null())
      return context.errors.required(path, Text("must provide `dnsConfig` when `dnsPolicy` is None"));
    return context.errors.required(servers_path,
                                   Text("must provide at least one DNS nameserver when `dnsPolicy` is None"));
  }
  if (config.is_null()) return;
  if (servers.size() > kNameserversMax)
    context.errors.invalid(servers_path, servers, Text("must not have more than 3 nameservers"));
  for (std::size_t i = 0; i < servers.size(); ++i)
    check_ip(servers.at(i).text(), servers_path.at(i), context);
  check_searches(config["searches"], path.child("searches"), context);
  const Value& options = config["options"];
  const Path options_path = path.child("options");
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options.at(i)["name"].text().empty())
      context.errors.required(options_path.at(i), Text("must not be empty"));
  }
}

void check_host_aliases(const Value& aliases, const Path& path, Context& context) {
  const bool has_index = context.options.minor >= gate::kAppArmorFields;  // both came with 1.30
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    const Path item = path.at(i);
    const Path& alias_path = has_index ? item : path;
    check_ip(aliases.at(i)["ip"].text(), alias_path.child("ip"), context);
    const Value& names = aliases.at(i)["hostnames"];
    const Path names_path = alias_path.child("hostnames");
    for (std::size_t j = 0; j < names.size(); ++j) {
      const std::string_view name = names.at(j).text();
      context.errors.invalid(has_index ? names_path.at(j) : names_path, name, check_dns_subdomain(name));
    }
  }
}

void check_hostname(Context& context, const Path& spec_path) {
  const Value& name = context.spec["hostnameOverride"];
  if (name.is_null()) return;
  const Path path = spec_path.child("hostnameOverride");
  if (context.spec["setHostnameAsFQDN"].is_true())
    context.errors.forbidden(path, Text("may not be specified when setHostnameAsFQDN is true"));
  if (context.host_network)
    context.errors.forbidden(path, Text("may not be specified when hostNetwork is true"));
  if (name.text().size() > kHostnameBytesMax) context.errors.too_long(path, kHostnameBytesMax);
  context.errors.invalid(path, name.text(), check_dns_subdomain(name.text()));
}

}  // namespace fixpoint::apiserver::validation
