#include "harness/apiserver/decoding/nanoseconds.h"

#include <algorithm>
#include <string_view>

namespace fixpoint::apiserver {

namespace {

using document::Name;
using document::Value;

constexpr std::size_t kDigitsMax = 9;

/// The significant digits after the point.
std::string_view fraction(std::string_view time) {
  const auto point = time.find_first_of(".,");
  if (point == std::string_view::npos) return {};
  std::string_view digits = time.substr(point + 1);
  digits = digits.substr(0, std::min(digits.find_first_not_of("0123456789"), kDigitsMax));
  const auto last = digits.find_last_not_of('0');
  return last == std::string_view::npos ? std::string_view() : digits.substr(0, last + 1);
}

void add(const Value& object, const Name& member, std::string& out) {
  const std::string_view digits = fraction(object[member].text());
  if (digits.empty()) return;
  out.append(member.text).append("=").append(digits).append(";");
}

/// The times of each element, with its index.
template <std::size_t kCount>
void add_each(const Value& list, const Name (&members)[kCount], std::string& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t before = out.size();
    for (const Name& member : members) add(list.at(i), member, out);
    if (out.size() > before) out.append(std::to_string(i)).append(";");
  }
}

}  // namespace

std::string nanoseconds_of(const Value& sent) {
  static constexpr Name kOfFields[] = {"time"};
  static constexpr Name kOfConditions[] = {"lastProbeTime", "lastTransitionTime"};
  std::string out;
  const Value& metadata = sent["metadata"];
  add(metadata, "creationTimestamp", out);
  add(metadata, "deletionTimestamp", out);
  add_each(metadata["managedFields"], kOfFields, out);
  const Value& status = sent["status"];
  add(status, "startTime", out);
  add_each(status["conditions"], kOfConditions, out);
  return out;
}

}  // namespace fixpoint::apiserver
