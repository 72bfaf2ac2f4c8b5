#include "harness/apiserver/decoding/timestamp.h"

#include <cstdint>
#include <cstdio>

namespace fixpoint::apiserver {

namespace {

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// Reads the text piece by piece; `ok` is false once a piece is missing.
struct Scanner {
  std::string_view rest;
  bool ok = true;

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest, i)) return (ok = false, 0);
      value = value * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(digits);
    return value;
  }
  void expect(char c) {
    if (rest.empty() || rest[0] != c) {
      ok = false;
    } else {
      rest.remove_prefix(1);
    }
  }
  bool accept(char c) {
    if (rest.empty() || rest[0] != c) return false;
    rest.remove_prefix(1);
    return true;
  }
};

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in(int month, std::int64_t year) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

/// Days since 1970-01-01 of the proleptic Gregorian calendar, and back.
std::int64_t days_from(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

std::string write(std::int64_t seconds) {
  std::int64_t days = seconds / 86400, left = seconds % 86400;
  if (left < 0) left += 86400, --days;
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t of_era = days - era * 146097;
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * of_year + 2) / 153;
  const int day = static_cast<int>(of_year - (153 * shifted + 2) / 5 + 1);
  const int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", static_cast<int>(year), month, day,
                static_cast<int>(left / 3600), static_cast<int>(left / 60 % 60), static_cast<int>(left % 60));
  return text;
}

/// Skips a fraction of a second; returns true if it was not zero.
bool skip_fraction(Scanner& scan) {
  if (scan.rest.empty() || (scan.rest[0] != '.' && scan.rest[0] != ',') || !is_digit(scan.rest, 1))
    return false;
  scan.rest.remove_prefix(1);
  bool is_more = false;
  for (int digits = 0; is_digit(scan.rest, 0); ++digits, scan.rest.remove_prefix(1)) {
    is_more = is_more || (digits < 9 && scan.rest[0] != '0');
  }
  return is_more;
}

/// Seconds east of UTC.
std::int64_t read_offset(Scanner& scan) {
  if (scan.accept('Z')) return 0;
  const bool is_west = scan.accept('-');
  if (!is_west) scan.expect('+');
  const int hours = scan.number(2);
  scan.expect(':');
  const int minutes = scan.number(2);
  if (hours > 24 || minutes > 60) scan.ok = false;
  const std::int64_t offset = std::int64_t{hours} * 3600 + std::int64_t{minutes} * 60;
  return is_west ? -offset : offset;
}

}  // namespace

std::optional<std::string> canonical_time(std::string_view text) {
  Scanner scan{text};
  const int year = scan.number(4);
  scan.expect('-');
  const int month = scan.number(2);
  scan.expect('-');
  const int day = scan.number(2);
  scan.expect('T');
  const int hour = scan.number(is_digit(scan.rest, 1) ? 2 : 1);
  scan.expect(':');
  const int minute = scan.number(2);
  scan.expect(':');
  const int second = scan.number(2);
  if (!scan.ok || month < 1 || month > 12 || day < 1 || day > days_in(month, year)) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const bool has_fraction = skip_fraction(scan);
  const std::int64_t offset = read_offset(scan);
  if (!scan.ok || !scan.rest.empty()) return std::nullopt;

  const std::int64_t seconds =
      days_from(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
  if (seconds == days_from(1, 1, 1) * 86400 && !has_fraction) return std::string();
  return write(seconds);
}

}  // namespace fixpoint::apiserver
