#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/opaque.h"
#include "harness/apiserver/text/addresses.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

constexpr const char* kAddressType = "net.IP";
constexpr const char* kNetworkType = "net.CIDR";

struct AddressBox : OpaqueBox {
  explicit AddressBox(Address of) : address(std::move(of)) {}
  std::string_view type_name() const override { return kAddressType; }
  std::string_view tag() const override { return "ip"; }
  std::string text() const override { return address.text(); }
  bool equals(const OpaqueBox& other) const override {
    return address == static_cast<const AddressBox&>(other).address;
  }
  Address address;
};

struct NetworkBox : OpaqueBox {
  explicit NetworkBox(Network of) : network(std::move(of)) {}
  std::string_view type_name() const override { return kNetworkType; }
  std::string_view tag() const override { return "cidr"; }
  std::string text() const override { return network.address.text() + "/" + std::to_string(network.bits); }
  bool equals(const OpaqueBox& other) const override {
    return network == static_cast<const NetworkBox&>(other).network;
  }
  Network network;
};

const Address& address_of(const Datum& value) {
  return static_cast<const AddressBox&>(value.opaque()).address;
}
const Network& network_of(const Datum& value) {
  return static_cast<const NetworkBox&>(value.opaque()).network;
}

std::string mapped_error(std::string_view text) {
  return "IPv4-mapped IPv6 address " + document::go_quoted(text) + " is not allowed";
}

/// The server takes neither zones nor IPv4 written as IPv6.
std::optional<Address> allowed_address(std::string_view text, std::string& error) {
  const auto address = read_address(text, error);
  if (!address) {
    error =
        "IP Address " + document::go_quoted(text) + " parse error during conversion from string: " + error;
    return {};
  }
  if (!address->zone.empty()) {
    error = "IP address " + document::go_quoted(text) + " with zone value is not allowed";
    return {};
  }
  if (address->is_mapped()) {
    error = mapped_error(text);
    return {};
  }
  return address;
}

std::optional<Network> allowed_network(std::string_view text, std::string& error) {
  constexpr const char* kDuring = "network address parse error during conversion from string: ";
  auto network = read_network(text, error);
  if (network && network->address.is_mapped()) {
    error = kDuring + mapped_error(text);
    return {};
  }
  if (!network) error = kDuring + (kDuring + error);
  return network;
}

Datum call_ip(Arguments a, const CallContext&) {
  std::string error;
  auto address = allowed_address(a[0].text(), error);
  return address ? Datum::of(new AddressBox(std::move(*address))) : Datum::error(error);
}
Datum call_is_ip(Arguments a, const CallContext&) {
  std::string error;
  return Datum::of(allowed_address(a[0].text(), error).has_value());
}
Datum call_is_canonical(Arguments a, const CallContext&) {
  std::string error;
  const auto address = allowed_address(a[0].text(), error);
  return address ? Datum::of(address->text() == a[0].text()) : Datum::error(error);
}
Datum call_network_text(Arguments a, const CallContext&) { return Datum::of(a[0].opaque().text()); }
Datum call_family(Arguments a, const CallContext&) {
  return Datum::of(std::int64_t{address_of(a[0]).is_v4 ? 4 : 6});
}

/// Returns true if all bytes behind the prefix are zero.
bool is_all_zero(const Address& address, std::size_t until) {
  for (std::size_t i = 0; i < until; ++i) {
    if (address.bytes[i] != 0) return false;
  }
  return true;
}
bool is_unspecified(const Address& address) { return is_all_zero(address, address.size()); }
bool is_loopback(const Address& address) {
  return address.is_v4 ? address.bytes[0] == 127 : is_all_zero(address, 15) && address.bytes[15] == 1;
}
bool is_multicast(const Address& address) {
  return address.is_v4 ? (address.bytes[0] & 0xF0) == 0xE0 : address.bytes[0] == 0xFF;
}
bool is_link_local_multicast(const Address& address) {
  if (address.is_v4) return address.bytes[0] == 224 && address.bytes[1] == 0 && address.bytes[2] == 0;
  return address.bytes[0] == 0xFF && (address.bytes[1] & 0x0F) == 0x02;
}
bool is_link_local_unicast(const Address& address) {
  if (address.is_v4) return address.bytes[0] == 169 && address.bytes[1] == 254;
  return address.bytes[0] == 0xFE && (address.bytes[1] & 0xC0) == 0x80;
}
bool is_broadcast(const Address& address) {
  return address.is_v4 && address.bytes[0] == 255 && address.bytes[1] == 255 && address.bytes[2] == 255 &&
         address.bytes[3] == 255;
}
bool is_global_unicast(const Address& address) {
  return !is_unspecified(address) && !is_broadcast(address) && !is_loopback(address) &&
         !is_multicast(address) && !is_link_local_unicast(address);
}
template <bool (*test)(const Address&)>
Datum call_address_test(Arguments a, const CallContext&) {
  return Datum::of(test(address_of(a[0])));
}

Datum call_cidr(Arguments a, const CallContext&) {
  std::string error;
  auto network = allowed_network(a[0].text(), error);
  return network ? Datum::of(new NetworkBox(std::move(*network))) : Datum::error(error);
}
Datum call_is_cidr(Arguments a, const CallContext&) {
  std::string error;
  return Datum::of(allowed_network(a[0].text(), error).has_value());
}
Datum call_contains_ip(Arguments a, const CallContext&) {
  return Datum::of(network_of(a[0]).contains(address_of(a[1])));
}
Datum call_contains_ip_text(Arguments a, const CallContext&) {
  std::string error;
  const auto address = allowed_address(a[1].text(), error);
  // The server asks the network about the error that it got in place of an address.
  return address ? Datum::of(network_of(a[0]).contains(*address)) : Datum::error("no such overload");
}
Datum contains_network(const Network& outer, const Network& inner) {
  return Datum::of(outer.bits <= inner.bits && outer.contains(inner.address));
}
Datum call_contains_cidr(Arguments a, const CallContext&) {
  return contains_network(network_of(a[0]), network_of(a[1]));
}
Datum call_contains_cidr_text(Arguments a, const CallContext&) {
  std::string error;
  const auto network = allowed_network(a[1].text(), error);
  return network ? contains_network(network_of(a[0]), *network) : Datum::error(error);
}
Datum call_cidr_ip(Arguments a, const CallContext&) {
  return Datum::of(new AddressBox(network_of(a[0]).address));
}
Datum call_prefix_length(Arguments a, const CallContext&) {
  return Datum::of(std::int64_t{network_of(a[0]).bits});
}
Datum call_masked(Arguments a, const CallContext&) {
  return Datum::of(new NetworkBox(network_of(a[0]).masked()));
}

constexpr std::array kNetworkBindings = {
    Binding{"string_to_ip", call_ip},
    Binding{"is_ip", call_is_ip},
    Binding{"ip_is_canonical", call_is_canonical},
    Binding{"ip_to_string", call_network_text},
    Binding{"cidr_to_string", call_network_text},
    Binding{"ip_family", call_family},
    Binding{"ip_is_unspecified", call_address_test<is_unspecified>},
    Binding{"ip_is_loopback", call_address_test<is_loopback>},
    Binding{"ip_is_link_local_multicast", call_address_test<is_link_local_multicast>},
    Binding{"ip_is_link_local_unicast", call_address_test<is_link_local_unicast>},
    Binding{"ip_is_global_unicast", call_address_test<is_global_unicast>},
    Binding{"string_to_cidr", call_cidr},
    Binding{"is_cidr", call_is_cidr},
    Binding{"cidr_contains_ip_ip", call_contains_ip},
    Binding{"cidr_contains_ip_string", call_contains_ip_text},
    Binding{"cidr_contains_cidr", call_contains_cidr},
    Binding{"cidr_contains_cidr_string", call_contains_cidr_text},
    Binding{"cidr_ip", call_cidr_ip},
    Binding{"cidr_prefix_length", call_prefix_length},
    Binding{"cidr_masked", call_masked},
};

}  // namespace

std::uint64_t opaque_size(const OpaqueBox& value) {
  if (value.type_name() == kAddressType) return static_cast<const AddressBox&>(value).address.size();
  if (value.type_name() != kNetworkType) return 1;
  return static_cast<std::uint64_t>((static_cast<const NetworkBox&>(value).network.bits + 7) / 8);
}

std::span<const Binding> network_bindings() { return kNetworkBindings; }

}  // namespace fixpoint::apiserver::cel
