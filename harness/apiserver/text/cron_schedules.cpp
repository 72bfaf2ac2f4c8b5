#include "harness/apiserver/text/cron_schedules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

#include "harness/apiserver/text/time_zones.h"
#include "harness/document/server_text.h"
#include "harness/document/split.h"

namespace fixpoint::apiserver {

namespace {

using document::Text;

/// The values of a field, and the names that some have.
struct Bounds {
  std::int64_t least, most;
  std::span<const std::string_view> names = {};
};
constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
/// Minute, hour, day of the month, month, day of the week.
constexpr Bounds kFields[] = {{0, 59}, {0, 23}, {1, 31}, {1, 12, kMonths}, {0, 6, kDays}};

bool has_digits_alone(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// A number of a field, or why it is none.
struct Number {
  std::int64_t value = 0;
  std::string problem = {};
};

Number read_number(std::string_view text) {
  const auto number = go_atoi(text);
  if (!number) {
    const std::string_view why = has_digits_alone(text) ? "value out of range" : "invalid syntax";
    return {.problem = Text("failed to parse int from {}: strconv.Atoi: parsing {}: {}")
                           .with({text, document::go_quoted(text), why})};
  }
  if (*number < 0)
    return {.problem = Text("negative number ({}) not allowed: {}").with({std::to_string(*number), text})};
  return {*number};
}

Number read_value(std::string_view text, const Bounds& bounds) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::find(bounds.names.begin(), bounds.names.end(), lower);
  if (found != bounds.names.end()) return {bounds.least + (found - bounds.names.begin())};
  return read_number(text);
}

std::string bounds_problem(std::int64_t first, std::int64_t last, std::int64_t step, const Bounds& bounds,
                           std::string_view range) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  if (first < bounds.least)
    return Text("beginning of range ({}) below minimum ({}): {}")
        .with({text(first), text(bounds.least), range});
  if (last > bounds.most)
    return Text("end of range ({}) above maximum ({}): {}").with({text(last), text(bounds.most), range});
  if (first > last)
    return Text("beginning of range ({}) beyond end of range ({}): {}")
        .with({text(first), text(last), range});
  return step == 0 ? Text("step of range should be a positive number: {}").with({range}) : "";
}

std::string range_problem(std::string_view range, const Bounds& bounds) {
  const auto with_step = document::split(range, "/"), ends = document::split(with_step[0], "-");
  Number first{bounds.least}, last{bounds.most};
  if (ends[0] != "*" && ends[0] != "?") {
    first = read_value(ends[0], bounds);
    if (!first.problem.empty()) return first.problem;
    if (ends.size() > 2) return Text("too many hyphens: {}").with({range});
    last = ends.size() == 2 ? read_value(ends[1], bounds) : first;
    if (!last.problem.empty()) return last.problem;
  }
  Number step{1};
  if (with_step.size() > 2) return Text("too many slashes: {}").with({range});
  if (with_step.size() == 2) {
    step = read_number(with_step[1]);
    if (!step.problem.empty()) return step.problem;
    if (ends.size() == 1) last.value = bounds.most;
  }
  return bounds_problem(first.value, last.value, step.value, bounds, range);
}

std::string fields_problem(std::string_view schedule) {
  const auto fields = document::split(schedule, " \t\n\v\f\r", false);
  if (fields.size() != std::size(kFields)) {
    std::string list;
    for (const std::string_view field : fields) list.append(list.empty() ? "" : " ").append(field);
    return Text("expected exactly 5 fields, found {}: [{}]").with({std::to_string(fields.size()), list});
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (const std::string_view range : document::split(fields[i], ",", false))
      if (std::string problem = range_problem(range, kFields[i]); !problem.empty()) return problem;
  }
  return {};
}

/// The error of time.ParseDuration.
std::string duration_problem(std::string_view text) {
  constexpr std::string_view kUnits[] = {"ns", "us", "\xC2\xB5s", "\xCE\xBCs", "ms", "s", "m", "h"};
  constexpr double kNanoseconds[] = {1, 1e3, 1e3, 1e3, 1e6, 1e9, 60e9, 3600e9};
  const std::string quoted = document::go_quoted(text);
  const std::string invalid = "time: invalid duration " + quoted;
  std::string_view rest = text;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return {};
  if (rest.empty()) return invalid;
  double all = 0;
  while (!rest.empty()) {
    const auto number_end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const std::string_view number = rest.substr(0, number_end);
    if (number.empty() || number == "." || std::count(number.begin(), number.end(), '.') > 1) return invalid;
    rest.remove_prefix(number_end);
    const auto unit_end = std::min(rest.find_first_of("0123456789."), rest.size());
    const std::string_view unit = rest.substr(0, unit_end);
    if (unit.empty()) return "time: missing unit in duration " + quoted;
    const auto* known = std::find(std::begin(kUnits), std::end(kUnits), unit);
    if (known == std::end(kUnits))
      return "time: unknown unit " + document::go_quoted(unit) + " in duration " + quoted;
    rest.remove_prefix(unit_end);
    double count = 0;
    std::from_chars(number.data(), number.data() + number.size(), count);
    all += count * kNanoseconds[known - kUnits];
  }
  return all >= (is_negative ? std::nextafter(0x1p63, 1e300) : 0x1p63) ? invalid : "";
}

std::string descriptor_problem(std::string_view descriptor) {
  constexpr std::string_view kDescriptors[] = {"@yearly", "@annually", "@monthly", "@weekly",
                                               "@daily",  "@midnight", "@hourly"};
  constexpr std::string_view kEvery = "@every ";
  if (std::find(std::begin(kDescriptors), std::end(kDescriptors), descriptor) != std::end(kDescriptors))
    return {};
  if (!descriptor.starts_with(kEvery)) return Text("unrecognized descriptor: {}").with({descriptor});
  const std::string problem = duration_problem(descriptor.substr(kEvery.size()));
  return problem.empty() ? problem : Text("failed to parse duration {}: {}").with({descriptor, problem});
}

}  // namespace

std::optional<std::int64_t> go_atoi(std::string_view text) {
  if (!has_digits_alone(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string parse_int_problem(std::string_view text) {
  const Text problem = has_digits_alone(text) ? Text("strconv.ParseInt: parsing {}: value out of range")
                                              : Text("strconv.ParseInt: parsing {}: invalid syntax");
  return problem.with({document::go_quoted(text)});
}

std::string schedule_problem(std::string_view schedule) {
  if (schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ=")) {
    const auto blank = schedule.find(' ');
    if (blank == std::string_view::npos)
      return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
    const auto begin = schedule.find('=') + 1;
    const std::string_view zone = schedule.substr(begin, blank - begin);
    if (!zone.empty() && zone != "Local" && !is_time_zone(zone))
      return Text("provided bad location {}: unknown time zone {}").with({zone, zone});
    schedule.remove_prefix(std::min(schedule.find_first_not_of(" \t\n\v\f\r", blank), schedule.size()));
    schedule = schedule.substr(0, schedule.find_last_not_of(" \t\n\v\f\r") + 1);
  }
  return schedule.starts_with('@') ? descriptor_problem(schedule) : fields_problem(schedule);
}

}  // namespace fixpoint::apiserver
