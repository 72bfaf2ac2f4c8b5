#include "harness/apiserver/cel/times.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "harness/apiserver/cel/numbers.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr std::int64_t kMinSeconds = -62135596800;  ///< 0001-01-01T00:00:00Z
constexpr std::int64_t kMaxSeconds = 253402300799;  ///< 9999-12-31T23:59:59Z

std::string padded(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

struct DurationUnit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr std::array kDurationUnits = {DurationUnit{"ns", 1},
                                       DurationUnit{"us", 1000},
                                       DurationUnit{"µs", 1000},
                                       DurationUnit{"μs", 1000},
                                       DurationUnit{"ms", 1'000'000},
                                       DurationUnit{"s", 1'000'000'000},
                                       DurationUnit{"m", 60 * 1'000'000'000ULL},
                                       DurationUnit{"h", 3600 * 1'000'000'000ULL}};

std::int64_t big_endian(const unsigned char* at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | at[i];
  return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

/// The offset at a time by the transitions of a file of the time zone database, version 2 or later (RFC
/// 8536). Times after the last transition take its offset.
std::optional<std::int64_t> offset_of_file(const std::string& content, std::int64_t seconds) {
  const auto* data = reinterpret_cast<const unsigned char*>(content.data());
  constexpr std::size_t kHeader = 44;
  if (content.size() < kHeader || content.compare(0, 4, "TZif") != 0) return {};
  const auto count = [&](std::size_t base, int i) {
    return static_cast<std::size_t>(big_endian(data + base + 20 + 4 * i, 4));
  };
  // The first block has times of 4 bytes and is skipped.
  std::size_t base =
      kHeader + count(0, 3) * 5 + count(0, 4) * 6 + count(0, 5) + count(0, 2) * 8 + count(0, 1) + count(0, 0);
  if (content.size() < base + kHeader) return {};
  const std::size_t times = count(base, 3), types = count(base, 4);
  const unsigned char* at = data + base + kHeader;
  if (content.size() < base + kHeader + times * 9 + types * 6 || types == 0) return {};
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < times && big_endian(at + 8 * i, 8) <= seconds; ++i) chosen = at[8 * times + i];
  return big_endian(at + 9 * times + 6 * chosen, 4);
}

std::optional<std::int64_t> go_atoi(std::string_view text, std::string& error) {
  std::string_view digits = text;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || end != digits.data() + digits.size() || code != std::errc()) {
    error = "strconv.Atoi: parsing \"" + std::string(text) + "\": invalid syntax";
    return {};
  }
  return value;
}

}  // namespace

Datum add_durations(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return Datum::error("integer overflow");
  return Datum::duration(sum);
}

Datum subtract_durations(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return Datum::error("integer overflow");
  return Datum::duration(difference);
}

Datum add_to_time(const Time& time, std::int64_t nanoseconds) {
  std::int64_t seconds = time.seconds + nanoseconds / kSecond;
  std::int64_t rest = time.nanoseconds + nanoseconds % kSecond;
  if (rest >= kSecond) ++seconds, rest -= kSecond;
  if (rest < 0) --seconds, rest += kSecond;
  const Time sum{seconds, static_cast<std::int32_t>(rest), time.offset};
  return is_in_range(sum) ? Datum::of(sum) : Datum::error("timestamp overflow");
}

Datum subtract_from_time(const Time& time, std::int64_t nanoseconds) {
  if (nanoseconds == std::numeric_limits<std::int64_t>::min()) return Datum::error("integer overflow");
  return add_to_time(time, -nanoseconds);
}

Datum subtract_times(const Time& a, const Time& b) {
  std::int64_t difference = 0;
  if (__builtin_mul_overflow(a.seconds - b.seconds, kSecond, &difference) ||
      __builtin_add_overflow(difference, std::int64_t{a.nanoseconds} - b.nanoseconds, &difference)) {
    return Datum::error("integer overflow");
  }
  return Datum::duration(difference);
}

bool is_in_range(const Time& time) { return time.seconds >= kMinSeconds && time.seconds <= kMaxSeconds; }

/// Takes the digits behind a point, as many as fit, and returns their number.
static std::size_t take_fraction(std::string_view& text, std::uint64_t& fraction, double& scale) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  std::size_t digits = 0;
  bool is_full = false;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits) {
    if (is_full) continue;
    const std::uint64_t more = fraction * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (fraction > (kMost - 1) / 10 || more > kMost) {
      is_full = true;
      continue;
    }
    fraction = more;
    scale *= 10;
  }
  return digits;
}

std::optional<std::int64_t> read_duration(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return {};
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  std::uint64_t total = 0;
  while (!text.empty()) {
    std::uint64_t whole = 0, fraction = 0;
    double scale = 1;
    std::size_t digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits) {
      if (whole > kMost / 10) return {};
      whole = whole * 10 + static_cast<std::uint64_t>(text.front() - '0');
      if (whole > kMost) return {};
    }
    if (!text.empty() && text.front() == '.') {
      text.remove_prefix(1);
      digits += take_fraction(text, fraction, scale);
    }
    if (digits == 0) return {};
    std::size_t length = 0;
    while (length < text.size() && text[length] != '.' && (text[length] < '0' || text[length] > '9'))
      ++length;
    const std::string_view name = text.substr(0, length);
    text.remove_prefix(length);
    const auto unit = std::find_if(kDurationUnits.begin(), kDurationUnits.end(),
                                   [&](const DurationUnit& row) { return row.name == name; });
    if (unit == kDurationUnits.end() || whole > kMost / unit->nanoseconds) return {};
    whole *= unit->nanoseconds;
    if (fraction > 0) {
      whole += static_cast<std::uint64_t>(static_cast<double>(fraction) *
                                          (static_cast<double>(unit->nanoseconds) / scale));
      if (whole > kMost) return {};
    }
    total += whole;
    if (total > kMost) return {};
  }
  if (negative) return static_cast<std::int64_t>(~total + 1);
  if (total > kMost - 1) return {};
  return static_cast<std::int64_t>(total);
}

std::string go_duration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  std::uint64_t rest = static_cast<std::uint64_t>(nanoseconds);
  if (nanoseconds < 0) rest = ~rest + 1;
  const std::string sign = nanoseconds < 0 ? "-" : "";
  const auto fraction = [](std::uint64_t value, std::size_t digits) {
    std::string text = padded(static_cast<std::int64_t>(value), digits);
    while (!text.empty() && text.back() == '0') text.pop_back();
    return text.empty() ? text : "." + text;
  };
  if (rest < 1000) return sign + std::to_string(rest) + "ns";
  if (rest < 1'000'000) return sign + std::to_string(rest / 1000) + fraction(rest % 1000, 3) + "µs";
  if (rest < 1'000'000'000)
    return sign + std::to_string(rest / 1'000'000) + fraction(rest % 1'000'000, 6) + "ms";
  const std::uint64_t seconds = rest / 1'000'000'000;
  std::string text = std::to_string(seconds % 60) + fraction(rest % 1'000'000'000, 9) + "s";
  if (seconds >= 60) text = std::to_string(seconds / 60 % 60) + "m" + text;
  if (seconds >= 3600) text = std::to_string(seconds / 3600) + "h" + text;
  return sign + text;
}

std::string duration_text(std::int64_t nanoseconds) {
  const double seconds = static_cast<double>(nanoseconds / kSecond) +
                         static_cast<double>(nanoseconds % kSecond) / static_cast<double>(kSecond);
  return real_text(seconds, RealFormat::plain) + "s";
}

std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t seconds, std::string& error) {
  const std::size_t colon = zone.find(':');
  if (colon != std::string_view::npos) {
    const auto hours = go_atoi(zone.substr(0, colon), error);
    if (!hours) return {};
    const auto minutes = go_atoi(zone.substr(colon + 1), error);
    if (!minutes) return {};
    // The server counts in nanoseconds of 64 bits, which wrap.
    constexpr std::uint64_t kMinute = 60'000'000'000, kHour = 60 * kMinute;
    const auto whole = static_cast<std::uint64_t>(*hours) * kHour;
    const auto part = static_cast<std::uint64_t>(*minutes) * kMinute;
    return static_cast<std::int64_t>(zone.front() == '-' ? whole - part : whole + part) / 1'000'000'000;
  }
  if (zone.empty() || zone == "UTC") return 0;
  if (zone != "Local" && zone.find("..") == std::string_view::npos && zone.front() != '/' &&
      zone.find('\\') == std::string_view::npos) {
    const std::string path = "/usr/share/zoneinfo/" + std::string(zone);
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem)) {
      error = "is a directory";
      return {};
    }
    if (std::filesystem::is_regular_file(path, problem)) {
      std::ifstream file(path, std::ios::binary);
      const std::string content((std::istreambuf_iterator<char>(file)), {});
      if (const auto offset = offset_of_file(content, seconds)) return offset;
    }
  }
  error = "unknown time zone " + std::string(zone);
  return {};
}

}  // namespace fixpoint::apiserver::cel
