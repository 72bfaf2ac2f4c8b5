#include "harness/apiserver/text/ip.h"
#include "harness/apiserver/warnings/warning_parts.h"

namespace fixpoint::apiserver::warnings {

namespace {

void warn_of_address(Warner& warner, std::string_view text, const Path& path) {
  const auto address = parse_ip(text);
  if (!address) return;
  const std::string canonical = address->canonical();
  if (!address->is_strict || (!address->is_v4_text && address->is_mapped())) {
    const std::string_view verdict = warner.minor() >= kIpInvalidSince
                                         ? " is invalid: use "
                                         : " will be considered invalid in a future Kubernetes release: use ";
    warner.add(path, "non-standard IP address " + quoted(text).append(verdict) + quoted(canonical));
  } else if (!address->is_v4_text && canonical != text) {
    warner.add(path, "IPv6 address " + quoted(text) + " should be in RFC 5952 canonical format (" +
                         quoted(canonical) + ")");
  }
}

void warn_of_twice(Warner& warner, const Value& list, const char* member, const Path& path) {
  validation::Names seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view text = list.at(i)[member].text();
    if (seen.insert(text)) continue;
    const Path item = path.at(i);
    warner.add(item.child(member), std::string("duplicate ").append(member).append(" ").append(quoted(text)));
  }
}

}  // namespace

void warn_of_lists(Warner& warner) {
  const Path& spec_path = warner.spec_path();
  const Path secrets_path = spec_path.child("imagePullSecrets");
  const Value& secrets = warner.spec()["imagePullSecrets"];
  warn_of_twice(warner, warner.spec()["hostAliases"], "ip", spec_path.child("hostAliases"));
  warn_of_twice(warner, secrets, "name", secrets_path);
  for (std::size_t i = 0; i < secrets.size(); ++i) {
    const Path item = secrets_path.at(i);
    if (secrets.at(i)["name"].text().empty()) warner.add(item.child("name"), "invalid empty name \"\"");
  }
  if (warner.spec()["terminationGracePeriodSeconds"].text().starts_with('-')) {
    warner.add(spec_path.child("terminationGracePeriodSeconds"),
               "must be >= 0; negative values are invalid and will be treated as 1");
  }
}

void warn_of_addresses(Warner& warner) {
  if (warner.minor() < kIpsSince) return;
  const Path& spec_path = warner.spec_path();
  const Path servers_path = spec_path.child("dnsConfig.nameservers");
  const Path aliases_path = spec_path.child("hostAliases");
  const Value& servers = warner.spec()["dnsConfig"]["nameservers"];
  for (std::size_t i = 0; i < servers.size(); ++i) {
    warn_of_address(warner, servers.at(i).text(), servers_path.at(i));
  }
  const Value& aliases = warner.spec()["hostAliases"];
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    const Path item = aliases_path.at(i);
    warn_of_address(warner, aliases.at(i)["ip"].text(), item.child("ip"));
  }
}

}  // namespace fixpoint::apiserver::warnings
