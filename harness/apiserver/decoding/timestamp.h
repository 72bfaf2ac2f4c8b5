#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// A point in time: seconds since 1970, nanoseconds within the second, and the offset of the zone in which it
/// was written, in seconds east of UTC.
struct Timestamp {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;
  std::int32_t offset = 0;
  friend bool operator==(const Timestamp& a, const Timestamp& b) {
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
  }
  friend auto operator<=>(const Timestamp& a, const Timestamp& b) {
    return a.seconds != b.seconds ? a.seconds <=> b.seconds : a.nanoseconds <=> b.nanoseconds;
  }
};

/// Reads a point in time as Go's RFC 3339 parser does, which takes a comma for the point of the fraction, one
/// digit of the hour, and an offset up to 24:60.
std::optional<Timestamp> read_timestamp(std::string_view text);
/// RFC 3339 with the fraction that is needed, in the zone of the time.
std::string timestamp_text(const Timestamp& time);

/// The parts of a date in a zone.
struct Calendar {
  std::int64_t year = 0;
  int month = 1;  ///< 1 to 12
  int day = 1;    ///< 1 to 31
  int hour = 0, minute = 0, second = 0;
  int weekday = 0;      ///< 0 is Sunday
  int day_of_year = 0;  ///< from 0
};
Calendar calendar_of(std::int64_t seconds_with_offset);

/// The text the API server writes for a time that was sent as `text`: UTC, whole seconds; empty for the zero
/// time, which it writes as null. Nothing for what Go's parser refuses.
std::optional<std::string> canonical_time(std::string_view text);

}  // namespace fixpoint::apiserver
