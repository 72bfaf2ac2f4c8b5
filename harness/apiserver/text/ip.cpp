#include "harness/apiserver/text/ip.h"

#include <algorithm>
#include <cstdio>

namespace fixpoint::apiserver {

namespace {

constexpr std::uint32_t kTooBig = 0xFFFFFF;

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : 99;
}

/// Reads a number from the front; empty if there is none or it is too large.
std::optional<std::uint32_t> take_number(std::string_view& text, int base, std::size_t digits_max,
                                         bool& is_strict) {
  std::uint32_t number = 0;
  std::size_t count = 0;
  while (count < text.size() && digit_of(text[count]) < base) {
    number = number * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit_of(text[count]));
    if (number >= kTooBig) return std::nullopt;
    ++count;
  }
  if (count == 0) return std::nullopt;
  if (count > digits_max || (base == 10 && count > 1 && text[0] == '0')) is_strict = false;
  text.remove_prefix(count);
  return number;
}

bool parse_v4(std::string_view text, std::uint8_t* out, bool& is_strict) {
  for (int i = 0; i < 4; ++i) {
    if (i > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    const auto number = take_number(text, 10, 3, is_strict);
    if (!number || *number > 255) return false;
    out[i] = static_cast<std::uint8_t>(*number);
  }
  return text.empty();
}

bool parse_v6(std::string_view text, IpAddress& address) {
  auto& bytes = address.bytes;
  std::size_t filled = 0;
  std::optional<std::size_t> gap;
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (filled < 16) {
    const std::string_view group = text;
    const auto number = take_number(text, 16, 4, address.is_strict);
    if (!number || *number > 0xFFFF) return false;
    if (text.starts_with('.')) {
      if ((!gap && filled != 12) || filled + 4 > 16) return false;
      if (!parse_v4(group, &bytes[filled], address.is_strict)) return false;
      filled += 4;
      text = {};
      break;
    }
    bytes[filled++] = static_cast<std::uint8_t>(*number >> 8);
    bytes[filled++] = static_cast<std::uint8_t>(*number & 0xFF);
    if (text.empty()) break;
    if (text[0] != ':' || text.size() == 1) return false;
    text.remove_prefix(1);
    if (text[0] != ':') continue;
    if (gap) return false;
    gap = filled;
    text.remove_prefix(1);
    if (text.empty()) break;
  }
  if (!text.empty()) return false;
  if (filled == 16) return !gap;
  if (!gap) return false;
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(*gap);
  std::copy_backward(middle, bytes.begin() + static_cast<std::ptrdiff_t>(filled), bytes.end());
  std::fill(middle, middle + static_cast<std::ptrdiff_t>(16 - filled), std::uint8_t{0});
  return true;
}

}  // namespace

std::string ipv6_text(const std::array<std::uint8_t, 16>& bytes) {
  const auto group = [&](std::size_t i) { return bytes[2 * i] << 8 | bytes[2 * i + 1]; };
  std::size_t gap = 8, gap_length = 1;  // the first of the longest runs of two zeros or more
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t length = 0;
    while (i + length < 8 && group(i + length) == 0) ++length;
    if (length > gap_length) gap = i, gap_length = length;
  }
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == gap) {
      out += "::";
      i += gap_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    char text[8];
    std::snprintf(text, sizeof text, "%x", static_cast<unsigned>(group(i)));
    out += text;
  }
  return out;
}

bool IpAddress::is_mapped() const {
  return std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}

std::string IpAddress::canonical() const {
  if (!is_mapped()) return ipv6_text(bytes);
  char text[16];
  std::snprintf(text, sizeof text, "%d.%d.%d.%d", bytes[12], bytes[13], bytes[14], bytes[15]);
  return text;
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  IpAddress address;
  const auto mark = text.find_first_of(".:");
  if (mark == std::string_view::npos) return std::nullopt;
  if (text[mark] == '.') {
    address.bytes[10] = address.bytes[11] = 0xFF;
    address.is_v4_text = true;
    if (!parse_v4(text, &address.bytes[12], address.is_strict)) return std::nullopt;
    return address;
  }
  if (!parse_v6(text, address)) return std::nullopt;
  return address;
}

}  // namespace fixpoint::apiserver
