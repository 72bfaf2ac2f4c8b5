#include <algorithm>

#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/gates.h"
#include "harness/apiserver/validation/prepare.h"

namespace fixpoint::apiserver {

namespace {

using document::Name;
using document::Value;

/// Sums of cpu and memory; what is zero does not count.
struct Sums {
  Quantity cpu, memory;
  bool is_empty() const { return cpu.is_zero() && memory.is_zero(); }
  /// Whether both were there.
  bool add(const Value& amounts) {
    int count = 0;
    for (auto [name, sum] : {std::pair{"cpu", &cpu}, std::pair{"memory", &memory}}) {
      const auto amount = Quantity::parse(amounts[name].text());
      if (!amount || amount->sign() <= 0) continue;
      *sum += *amount;
      ++count;
    }
    return count == 2;
  }
};

}  // namespace

std::string_view qos_class(const Value& spec, int minor) {
  Sums requests, limits;
  bool is_guaranteed = true;
  const auto add = [&](const Value& resources) {
    requests.add(resources["requests"]);
    if (!limits.add(resources["limits"])) is_guaranteed = false;
  };
  if (minor >= gate::kPodLevelResources && !spec["resources"].is_null()) {
    requests.add(spec["resources"]["requests"]);
    const Value& own = spec["resources"]["limits"];
    if (!own.empty() && !limits.add(own)) is_guaranteed = false;
  } else {
    static constexpr Name kNames[] = {"containers", "initContainers"};
    for (const Name& list : kNames) {
      for (const Value& container : spec[list].elements()) add(container["resources"]);
    }
  }
  if (requests.is_empty() && limits.is_empty()) return "BestEffort";
  const bool is_equal = requests.cpu == limits.cpu && requests.memory == limits.memory;
  return is_guaranteed && is_equal ? "Guaranteed" : "Burstable";
}

}  // namespace fixpoint::apiserver
