#include "harness/apiserver/validation/qos.h"

#include <algorithm>

#include "harness/apiserver/types/container_types.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver {

namespace {

using document::Name;
using document::Value;

/// Sums of cpu and memory; zero amounts do not count.
struct Sums {
  Quantity cpu, memory;
  bool is_empty() const { return cpu.is_zero() && memory.is_zero(); }
  /// Returns true if both cpu and memory were given.
  bool add(const Value& amounts) {
    if (amounts.empty()) return false;
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
  // Once the Pod is known not to be Guaranteed, any amount decides.
  const auto add = [&](const Value& asked, const Value& allowed) {
    requests.add(asked);
    if (!limits.add(allowed)) is_guaranteed = false;
    return !is_guaranteed && !(requests.is_empty() && limits.is_empty());
  };
  if (minor >= gate::kPodLevelResources && !spec["resources"].is_null()) {
    const Value& own = spec["resources"]["limits"];
    requests.add(spec["resources"]["requests"]);
    if (!own.empty() && !limits.add(own)) is_guaranteed = false;
  } else {
    for (const Name& list : kRunContainers) {
      for (const Value& container : spec[list].elements()) {
        const Value& resources = container["resources"];
        if (add(resources["requests"], resources["limits"])) return "Burstable";
      }
    }
  }
  if (requests.is_empty() && limits.is_empty()) return "BestEffort";
  const bool is_equal = requests.cpu == limits.cpu && requests.memory == limits.memory;
  return is_guaranteed && is_equal ? "Guaranteed" : "Burstable";
}

std::string_view qos_class_of(const Value& pod, int minor) {
  const std::string_view known = pod["status"]["qosClass"].text();
  return known.empty() ? qos_class(pod["spec"], minor) : known;
}

}  // namespace fixpoint::apiserver
