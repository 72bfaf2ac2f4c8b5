#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

inline constexpr std::int64_t kSecond = 1'000'000'000;  ///< in nanoseconds

Datum add_durations(std::int64_t a, std::int64_t b);
Datum subtract_durations(std::int64_t a, std::int64_t b);
/// A point in time within the years 1 to 9999, or "timestamp overflow".
Datum add_to_time(const Time& time, std::int64_t nanoseconds);
Datum subtract_from_time(const Time& time, std::int64_t nanoseconds);
Datum subtract_times(const Time& a, const Time& b);

/// A duration as Go's time.ParseDuration reads it, in nanoseconds.
std::optional<std::int64_t> read_duration(std::string_view text);
/// As Go prints a duration: `1h30m0s`.
std::string go_duration(std::int64_t nanoseconds);
/// As CEL does: seconds without trailing zeros, `90s`.
std::string duration_text(std::int64_t nanoseconds);

/// Returns true for a point in time within the years 1 to 9999.
bool is_in_range(const Time& time);

/// The offset in seconds east of UTC that a zone has at a time: a name of the time zone database, or
/// `+hh:mm`. Without it, `error` is what the server says.
std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t seconds, std::string& error);

}  // namespace fixpoint::apiserver::cel
