#include "harness/webhooks/authority.h"

#include <arpa/inet.h>

#include <charconv>
#include <utility>

#include "harness/document/document_stream.h"

namespace fixpoint::webhooks {

using document::Result;

namespace {

constexpr int kDays = 365;

bool is_address(const std::string& name) {
  in_addr four{};
  in6_addr six{};
  return inet_pton(AF_INET, name.c_str(), &four) == 1 || inet_pton(AF_INET6, name.c_str(), &six) == 1;
}

}  // namespace

Authority make_authority(const std::vector<std::string>& names) {
  std::string alternative;
  for (const std::string& name : names) {
    alternative.append(alternative.empty() ? "" : ",").append(is_address(name) ? "IP:" : "DNS:").append(name);
  }
  Authority made{.authority = make_identity({.name = "fixpoint serve", .days_until = kDays}),
                 .server = {}};
  made.server = make_identity(
      {.name = "fixpoint", .alternative = alternative, .issuer = &made.authority, .days_until = kDays});
  return made;
}

std::optional<Address> parse_address(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  Address address{.host = text.substr(0, colon)};
  const std::string port = text.substr(colon + 1);
  const auto [end, bad] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (bad != std::errc() || end != port.data() + port.size() || address.port < 0 || address.port > 65535)
    return std::nullopt;
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  return address;
}

std::string url_of(const std::string& host, int port) {
  const bool is_six = host.find(':') != std::string::npos;
  return "https://" + (is_six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::vector<std::string> names_of_server(const std::string& host, const std::vector<std::string>& names,
                                         const std::string& service) {
  std::vector<std::string> all{host, "localhost"};
  all.insert(all.end(), names.begin(), names.end());
  if (const auto slash = service.find('/'); slash != std::string::npos)
    all.push_back(service.substr(slash + 1) + "." + service.substr(0, slash) + ".svc");
  return all;
}

Result<Authority> read_authority(const CertificateFiles& files) {
  auto certificate = document::read_text_file(files.certificate);
  auto key = document::read_text_file(files.key);
  if (!certificate) return std::move(certificate).error();
  if (!key) return std::move(key).error();
  auto authority = files.authority.empty() ? certificate : document::read_text_file(files.authority);
  if (!authority) return std::move(authority).error();
  return Authority{.authority = {.certificate = *std::move(authority), .key = ""},
                   .server = {.certificate = *std::move(certificate), .key = *std::move(key)}};
}

}  // namespace fixpoint::webhooks
