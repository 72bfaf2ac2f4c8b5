#include "harness/apiserver/decoding/timestamp.h"

#include <cstdio>
#include <cstdlib>

namespace fixpoint::apiserver {

namespace {

constexpr std::int64_t kDaySeconds = 86400;
constexpr std::int64_t kZeroSeconds = -62135596800;  ///< of Go's zero time, 0001-01-01T00:00:00Z

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar, by counting eras of 400 years.
std::int64_t days_of(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool read_digits(std::string_view& text, std::size_t count, int& into) {
  if (text.size() < count) return false;
  into = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    into = into * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool take_char(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Timestamp> read_timestamp(std::string_view text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!read_digits(text, 4, year) || !take_char(text, '-') || !read_digits(text, 2, month) ||
      !take_char(text, '-') || !read_digits(text, 2, day) || !take_char(text, 'T')) {
    return {};
  }
  // Go's layout takes an hour of one digit.
  if (!read_digits(text, 2, hour) && !read_digits(text, 1, hour)) return {};
  if (!take_char(text, ':') || !read_digits(text, 2, minute) || !take_char(text, ':') ||
      !read_digits(text, 2, second)) {
    return {};
  }
  Timestamp time;
  if (text.size() > 1 && (text.front() == '.' || text.front() == ',') && text[1] >= '0' && text[1] <= '9') {
    text.remove_prefix(1);
    std::int32_t unit = 100'000'000;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), unit /= 10) {
      time.nanoseconds += (text.front() - '0') * unit;
    }
  }
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || day < 1) return {};
  const std::int64_t next = month == 12 ? days_of(year + 1, 1, 1) : days_of(year, month + 1, 1);
  if (days_of(year, month, 1) + day > next) return {};
  if (!take_char(text, 'Z')) {
    int zone_hour = 0, zone_minute = 0;
    if (text.empty() || (text.front() != '+' && text.front() != '-')) return {};
    const int sign = text.front() == '-' ? -1 : 1;
    text.remove_prefix(1);
    if (!read_digits(text, 2, zone_hour) || !take_char(text, ':') || !read_digits(text, 2, zone_minute))
      return {};
    if (zone_hour > 24 || zone_minute > 60) return {};
    time.offset = sign * (zone_hour * 3600 + zone_minute * 60);
  }
  if (!text.empty()) return {};
  time.seconds = days_of(year, month, day) * kDaySeconds + hour * 3600 + minute * 60 + second - time.offset;
  return time;
}

std::string timestamp_text(const Timestamp& time) {
  const Calendar date = calendar_of(time.seconds + time.offset);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02dT%02d:%02d:%02d", static_cast<int>(date.year),
                date.month, date.day, date.hour, date.minute, date.second);
  std::string text = buffer;
  if (time.nanoseconds != 0) {
    std::snprintf(buffer, sizeof buffer, ".%09d", time.nanoseconds);
    text += buffer;
    while (text.back() == '0') text.pop_back();
  }
  if (time.offset == 0) return text + "Z";
  const int minutes = std::abs(time.offset) / 60;
  std::snprintf(buffer, sizeof buffer, "%c%02d:%02d", time.offset < 0 ? '-' : '+', minutes / 60,
                minutes % 60);
  return text + buffer;
}

Calendar calendar_of(std::int64_t seconds) {
  std::int64_t days = seconds / kDaySeconds, rest = seconds % kDaySeconds;
  if (rest < 0) --days, rest += kDaySeconds;
  Calendar date;
  date.hour = static_cast<int>(rest / 3600);
  date.minute = static_cast<int>(rest / 60 % 60);
  date.second = static_cast<int>(rest % 60);
  date.weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t of_era = shifted - era * 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  date.day = static_cast<int>(of_year - (153 * month + 2) / 5 + 1);
  date.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  date.year = year + era * 400 + (date.month <= 2 ? 1 : 0);
  date.day_of_year = static_cast<int>(days - days_of(date.year, 1, 1));
  return date;
}

std::optional<std::string> canonical_time(std::string_view text) {
  const auto time = read_timestamp(text);
  if (!time) return std::nullopt;
  if (time->seconds == kZeroSeconds && time->nanoseconds == 0) return std::string();
  return timestamp_text({.seconds = time->seconds});
}

}  // namespace fixpoint::apiserver
