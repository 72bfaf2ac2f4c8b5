#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver::cel {

/// An IP address as Go's net/netip reads it: no leading zeros in IPv4.
struct Address {
  std::array<std::uint8_t, 16> bytes = {};  ///< the first four of IPv4
  bool is_v4 = false;
  std::string zone = {};
  std::size_t size() const { return is_v4 ? 4 : 16; }
  bool is_mapped() const;  ///< IPv6 of the form ::ffff:a.b.c.d
  std::string text() const;
  friend bool operator==(const Address&, const Address&) = default;
};

/// The address, or the message of Go's netip.ParseAddr in `error`.
std::optional<Address> read_address(std::string_view text, std::string& error);

struct Network {
  Address address;
  int bits = 0;
  Network masked() const;
  bool contains(const Address& other) const;
  friend bool operator==(const Network&, const Network&) = default;
};

/// The network, or the message of Go's netip.ParsePrefix.
std::optional<Network> read_network(std::string_view text, std::string& error);

}  // namespace fixpoint::apiserver::cel
