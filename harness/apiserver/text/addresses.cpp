#include "harness/apiserver/text/addresses.h"

#include <charconv>

#include "harness/apiserver/text/ip.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::cel {

namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_decimal(c)) return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string address_error(std::string_view text, std::string_view message, std::string_view at = {}) {
  std::string error = "ParseAddr(" + document::go_quoted(text) + "): " + std::string(message);
  return at.empty() ? error : error + " (at " + document::go_quoted(at) + ")";
}

/// Reads four numbers with dots between them; `whole` is what messages quote.
bool read_v4(std::string_view whole, std::string_view text, std::uint8_t* into, std::string& error) {
  int value = 0, position = 0, digits = 0;
  const auto fail = [&](std::string_view message, std::string_view at = {}) {
    error = address_error(whole, message, at);
    return false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_decimal(text[i])) {
      if (digits == 1 && value == 0) return fail("IPv4 field has octet with leading zero");
      value = value * 10 + (text[i] - '0');
      ++digits;
      if (value > 255) return fail("IPv4 field has value >255");
    } else if (text[i] == '.') {
      if (i == 0 || i + 1 == text.size() || text[i - 1] == '.') {
        return fail("IPv4 field must have at least one digit", text.substr(i));
      }
      if (position == 3) return fail("IPv4 address too long");
      into[position++] = static_cast<std::uint8_t>(value);
      value = digits = 0;
    } else {
      return fail("unexpected character", text.substr(i));
    }
  }
  if (position < 3) return fail("IPv4 address too short");
  into[3] = static_cast<std::uint8_t>(value);
  return true;
}

/// Returns the number of hex digits that a text begins with, at most one too many, and sets their value.
constexpr std::size_t kGroupMax = 4;
std::size_t group_length(std::string_view text, std::uint32_t& value) {
  std::size_t length = 0;
  for (; length < text.size() && length <= kGroupMax && hex_digit(text[length]) >= 0; ++length)
    value = (value << 4) + static_cast<std::uint32_t>(hex_digit(text[length]));
  return length;
}

/// Moves what follows the :: at `gap` to the end of an address of which so many bytes are filled.
void expand(Address& address, int filled, int gap) {
  const int moved = 16 - filled;
  for (int i = filled - 1; i >= gap; --i) {
    address.bytes[static_cast<std::size_t>(i + moved)] = address.bytes[static_cast<std::size_t>(i)];
  }
  for (int i = gap; i < gap + moved; ++i) address.bytes[static_cast<std::size_t>(i)] = 0;
}

/// Returns why no IPv4 address may follow so many bytes; nullptr if one may.
const char* embedding_problem(int filled, int gap) {
  if (gap < 0 && filled != 12) return "embedded IPv4 address must replace the final 2 fields of the address";
  return filled + 4 > 16 ? "too many hex fields to fit an embedded IPv4 at the end of the address" : nullptr;
}

/// Takes the zone off the end of a text; returns false for an empty one.
bool take_zone(std::string_view& text, std::string& zone) {
  const std::size_t percent = text.find('%');
  if (percent == std::string_view::npos) return true;
  zone = std::string(text.substr(percent + 1));
  text = text.substr(0, percent);
  return !zone.empty();
}

std::optional<Address> read_v6(std::string_view whole, std::string& error) {
  Address address;
  std::string_view text = whole;
  const auto fail = [&](std::string_view message, std::string_view at = {}) {
    error = address_error(whole, message, at);
    return std::nullopt;
  };
  if (!take_zone(text, address.zone)) return fail("zone must be a non-empty string");
  int gap = -1;  // where :: stands, in bytes
  if (text.substr(0, 2) == "::") {
    gap = 0;
    text.remove_prefix(2);
    if (text.empty()) return address;
  }
  int filled = 0;
  while (filled < 16) {
    std::uint32_t value = 0;
    const std::size_t length = group_length(text, value);
    if (length > kGroupMax) return fail("each group must have 4 or less digits", text);
    if (length == 0) return fail("each colon-separated field must have at least one digit", text);
    if (length < text.size() && text[length] == '.') {
      if (const char* problem = embedding_problem(filled, gap)) return fail(problem, text);
      if (!read_v4(whole, text, address.bytes.data() + filled, error)) return std::nullopt;
      text = {};
      filled += 4;
      break;
    }
    address.bytes[static_cast<std::size_t>(filled)] = static_cast<std::uint8_t>(value >> 8);
    address.bytes[static_cast<std::size_t>(filled + 1)] = static_cast<std::uint8_t>(value & 0xFF);
    filled += 2;
    text.remove_prefix(length);
    if (text.empty()) break;
    if (text[0] != ':') return fail("unexpected character, want colon", text);
    if (text.size() == 1) return fail("colon must be followed by more characters", text);
    text.remove_prefix(1);
    if (text[0] != ':') continue;
    if (gap >= 0) return fail("multiple :: in address", text);
    gap = filled;
    text.remove_prefix(1);
    if (text.empty()) break;
  }
  if (!text.empty()) return fail("trailing garbage after address", text);
  if (filled == 16) {
    if (gap >= 0) return fail("the :: must expand to at least one field of zeros");
    return address;
  }
  if (gap < 0) return fail("address string too short");
  expand(address, filled, gap);
  return address;
}

}  // namespace

bool Address::is_mapped() const {
  if (is_v4) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    if (bytes[i] != 0) return false;
  }
  return bytes[10] == 0xFF && bytes[11] == 0xFF;
}

std::string Address::text() const {
  if (is_v4) {
    return std::to_string(bytes[0]) + "." + std::to_string(bytes[1]) + "." + std::to_string(bytes[2]) + "." +
           std::to_string(bytes[3]);
  }
  const std::string text = ipv6_text(bytes);
  return zone.empty() ? text : text + "%" + zone;
}

std::optional<Address> read_address(std::string_view text, std::string& error) {
  for (char c : text) {
    if (c == '.') {
      Address address;
      address.is_v4 = true;
      if (!read_v4(text, text, address.bytes.data(), error)) return {};
      return address;
    }
    if (c == ':') return read_v6(text, error);
    if (c == '%') {
      error = address_error(text, "missing IPv6 address");
      return {};
    }
  }
  error = address_error(text, "unable to parse IP");
  return {};
}

Network Network::masked() const {
  Network result = *this;
  for (std::size_t i = 0; i < address.size(); ++i) {
    const int kept = std::min(8, std::max(0, bits - static_cast<int>(8 * i)));
    result.address.bytes[i] = static_cast<std::uint8_t>(address.bytes[i] & (0xFF00 >> kept));
  }
  return result;
}

bool Network::contains(const Address& other) const {
  if (other.is_v4 != address.is_v4 || !other.zone.empty()) return false;
  return Network{other, bits}.masked().address.bytes == masked().address.bytes;
}

std::optional<Network> read_network(std::string_view text, std::string& error) {
  const auto fail = [&](const std::string& message) {
    error = "netip.ParsePrefix(" + document::go_quoted(text) + "): " + message;
    return std::nullopt;
  };
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  std::string problem;
  const auto address = read_address(text.substr(0, slash), problem);
  if (!address) return fail(problem);
  if (!address->zone.empty()) return fail("IPv6 zones cannot be present in a prefix");
  const std::string_view digits = text.substr(slash + 1);
  int bits = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool is_padded = digits.size() > 1 && (digits[0] < '1' || digits[0] > '9');
  if (is_padded || digits.empty() || !is_decimal(digits[0]) || end != digits.data() + digits.size() ||
      code != std::errc()) {
    return fail("bad bits after slash: " + document::go_quoted(digits));
  }
  if (bits > static_cast<int>(8 * address->size())) return fail("prefix length out of range");
  return Network{*address, bits};
}

}  // namespace fixpoint::apiserver::cel
