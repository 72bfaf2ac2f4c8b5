#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::apiserver {

/// Reads a number as Go's strconv.Atoi does: a sign and digits. Nothing if it is none, or has more bits
/// than 64.
std::optional<std::int64_t> go_atoi(std::string_view text);
/// Returns what Go's strconv.ParseInt says of a text of which go_atoi reads no number.
std::string parse_int_problem(std::string_view text);

/// Returns what the server says of the schedule of a CronJob that cannot be parsed (robfig/cron
/// ParseStandard): five fields, a descriptor such as `@daily`, or `@every` with a duration, behind `TZ=ZONE `
/// if there is one. Empty if it is valid.
std::string schedule_problem(std::string_view schedule);

}  // namespace fixpoint::apiserver
