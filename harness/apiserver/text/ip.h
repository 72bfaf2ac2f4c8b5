#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// An IP address as the API server parses it: leading zeros are accepted, zones are rejected.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes = {};  ///< IPv4 as ::ffff:a.b.c.d
  bool is_strict = true;                    ///< no leading zeros, which strict parsers reject
  bool is_v4_text = false;                  ///< written as IPv4
  bool is_mapped() const;                   ///< the value is an IPv4 address
  std::string canonical() const;            ///< IPv4 dotted, IPv6 by RFC 5952
};
/// The text of an IPv6 address by RFC 5952, without a dotted end.
std::string ipv6_text(const std::array<std::uint8_t, 16>& bytes);
std::optional<IpAddress> parse_ip(std::string_view text);

}  // namespace fixpoint::apiserver
