#include "harness/apiserver/custom/durations.h"

#include <re2/re2.h>

#include <array>
#include <string>

#include "harness/apiserver/cel/times.h"
#include "harness/document/lower_case.h"

namespace fixpoint::apiserver::custom {

namespace {

/// A unit by its names, of which the last may have an ending: `second`, `secs`.
struct Unit {
  std::array<std::string_view, 3> names;
  std::int64_t nanoseconds;
};
constexpr std::int64_t kSecond = cel::kSecond, kHour = 3600 * kSecond, kDay = 24 * kHour;
constexpr std::array kUnits = {Unit{{"", "ns", "nano"}, 1},
                               Unit{{"us", "\u00b5s", "micro"}, 1000},
                               Unit{{"", "ms", "milli"}, 1'000'000},
                               Unit{{"", "s", "sec"}, kSecond},
                               Unit{{"", "m", "min"}, 60 * kSecond},
                               Unit{{"h", "hr", "hour"}, kHour},
                               Unit{{"", "d", "day"}, kDay},
                               Unit{{"w", "wk", "week"}, 7 * kDay}};

}  // namespace

std::optional<std::int64_t> read_duration_format(std::string_view text) {
  if (const auto plain = cel::read_duration(text)) return plain;
  static const RE2 kPart("([0-9]+)\\s*([A-Za-z\u00b5]+)");
  re2::StringPiece rest(text.data(), text.size());
  std::int64_t factor = 0, total = 0;
  std::string name;
  bool is_known = false;
  while (RE2::FindAndConsume(&rest, kPart, &factor, &name)) {
    const std::string small = document::lower_case(name);
    for (const Unit& unit : kUnits) {
      const bool is_unit = small.starts_with(unit.names[2]) || small == unit.names[1] ||
          small == unit.names[0];
      if (!is_unit) continue;
      is_known = true;
      // As the server's sum wraps around.
      total = static_cast<std::int64_t>(static_cast<std::uint64_t>(total) +
                                        static_cast<std::uint64_t>(factor) *
                                            static_cast<std::uint64_t>(unit.nanoseconds));
    }
  }
  return is_known ? std::optional<std::int64_t>(total) : std::nullopt;
}

}  // namespace fixpoint::apiserver::custom
