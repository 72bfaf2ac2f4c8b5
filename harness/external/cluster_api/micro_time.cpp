#include "harness/external/cluster_api/micro_time.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace fixpoint::external {

document::Value micro_time(std::int64_t seconds, std::int64_t nanoseconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm time{};
  std::array<char, 64> text{};
  if (gmtime_r(&whole, &time) == nullptr || time.tm_year > 8099) return {};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &time);
  std::snprintf(text.data() + size, text.size() - size, ".%06uZ", static_cast<unsigned>(nanoseconds / 1000));
  return text.data();
}

}  // namespace fixpoint::external
