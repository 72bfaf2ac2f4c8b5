#include <array>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/times.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;
using Part = std::int64_t (*)(const Calendar&, const Time&);

/// A part of a date: in UTC, or in the zone that the second argument names.
template <Part part>
Datum call_date_part(Arguments a, const CallContext&) {
  const Time& time = a[0].time();
  std::int64_t offset = 0;
  if (a.size() > 1) {
    std::string error;
    const auto found = zone_offset(a[1].text(), time.seconds, error);
    if (!found) return Datum::error(error);
    offset = *found;
  }
  return Datum::of(part(calendar_of(time.seconds + offset), time));
}

std::int64_t year_of(const Calendar& date, const Time&) { return date.year; }
std::int64_t month_of(const Calendar& date, const Time&) { return date.month - 1; }
std::int64_t day_of_year_of(const Calendar& date, const Time&) { return date.day_of_year; }
std::int64_t day_of(const Calendar& date, const Time&) { return date.day; }
std::int64_t day_from_zero_of(const Calendar& date, const Time&) { return date.day - 1; }
std::int64_t weekday_of(const Calendar& date, const Time&) { return date.weekday; }
std::int64_t hour_of(const Calendar& date, const Time&) { return date.hour; }
std::int64_t minute_of(const Calendar& date, const Time&) { return date.minute; }
std::int64_t second_of(const Calendar& date, const Time&) { return date.second; }
std::int64_t millisecond_of(const Calendar&, const Time& time) { return time.nanoseconds / 1'000'000; }

template <std::int64_t kUnit>
Datum call_duration_part(Arguments a, const CallContext&) {
  return Datum::of(a[0].integer() / kUnit);
}

constexpr std::array kTimeBindings = {
    Binding{"timestamp_to_year", call_date_part<year_of>},
    Binding{"timestamp_to_year_with_tz", call_date_part<year_of>},
    Binding{"timestamp_to_month", call_date_part<month_of>},
    Binding{"timestamp_to_month_with_tz", call_date_part<month_of>},
    Binding{"timestamp_to_day_of_year", call_date_part<day_of_year_of>},
    Binding{"timestamp_to_day_of_year_with_tz", call_date_part<day_of_year_of>},
    Binding{"timestamp_to_day_of_month", call_date_part<day_from_zero_of>},
    Binding{"timestamp_to_day_of_month_with_tz", call_date_part<day_from_zero_of>},
    Binding{"timestamp_to_day_of_month_1_based", call_date_part<day_of>},
    Binding{"timestamp_to_day_of_month_1_based_with_tz", call_date_part<day_of>},
    Binding{"timestamp_to_day_of_week", call_date_part<weekday_of>},
    Binding{"timestamp_to_day_of_week_with_tz", call_date_part<weekday_of>},
    Binding{"timestamp_to_hours", call_date_part<hour_of>},
    Binding{"timestamp_to_hours_with_tz", call_date_part<hour_of>},
    Binding{"timestamp_to_minutes", call_date_part<minute_of>},
    Binding{"timestamp_to_minutes_with_tz", call_date_part<minute_of>},
    Binding{"timestamp_to_seconds", call_date_part<second_of>},
    Binding{"timestamp_to_seconds_tz", call_date_part<second_of>},
    Binding{"timestamp_to_milliseconds", call_date_part<millisecond_of>},
    Binding{"timestamp_to_milliseconds_with_tz", call_date_part<millisecond_of>},
    Binding{"duration_to_hours", call_duration_part<3600 * kSecond>},
    Binding{"duration_to_minutes", call_duration_part<60 * kSecond>},
    Binding{"duration_to_seconds", call_duration_part<kSecond>},
    Binding{"duration_to_milliseconds", call_duration_part<kSecond / 1000>},
};

}  // namespace

std::span<const Binding> time_bindings() { return kTimeBindings; }

}  // namespace fixpoint::apiserver::cel
