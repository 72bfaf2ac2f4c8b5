#include "harness/runner/shrink.h"

#include <algorithm>

namespace fixpoint::runner {

using cases::Case;
using document::Value;

std::optional<Shrunk> shrink(const Case& value, const properties::Property& property, std::string_view wanted,
                             const webhooks::Resolve& resolve, const Reduce& reduce, const Limits& limits) {
  const auto prepared = prepare(value, resolve, limits, kJudging);
  if (!prepared) return std::nullopt;
  const bool stays_valid = has_valid_pod(*prepared);
  const auto is_over = [&, withheld = resolve.withheld_so_far()] {
    return resolve.withheld_so_far() != withheld;
  };
  auto violation = shows(*prepared, property, wanted, limits);
  if (!violation || is_over()) return std::nullopt;
  Shrunk best{.value = value, .violation = *std::move(violation)};
  for (bool progress = true; progress && reduce && best.tries < limits.shrink_tries_max;) {
    progress = false;
    reduce(best.value, [&](const Case& candidate) {
      if (best.tries >= limits.shrink_tries_max || is_over()) return false;
      ++best.tries;
      const auto tried = prepare(candidate, resolve, limits, kJudging);
      if (!tried) return false;
      auto still = shows(*tried, property, wanted, limits);
      if (is_over() || !still || (stays_valid && !has_valid_pod(*tried))) return false;
      best.value = candidate;
      best.violation = *std::move(still);
      ++best.steps;
      return progress = true;
    });
  }
  return best;
}

Case without_webhook(const Case& value, const std::string& webhook) {
  Case copy = value;
  const std::string configuration = webhook.substr(0, webhook.find('/'));
  const std::string name = webhook.substr(webhook.find('/') + 1);
  for (Value& object : copy.cluster.objects) {
    if (object["kind"].text() != "MutatingWebhookConfiguration") continue;
    if (object["metadata"]["name"].text() != configuration) continue;
    auto& entries = object.edit("webhooks").edit_elements();
    std::erase_if(entries, [&](const Value& entry) { return entry["name"].text() == name; });
  }
  std::erase_if(copy.cluster.objects, [](const Value& object) {
    return object["kind"].text() == "MutatingWebhookConfiguration" && object["webhooks"].empty();
  });
  copy.webhooks.erase(webhook);
  std::erase_if(copy.faults, [&](const cases::Fault& fault) { return fault.webhook == webhook; });
  return copy;
}

std::vector<std::string> blame(const Case& value, const properties::Property& property,
                               std::string_view wanted, const webhooks::Resolve& resolve,
                               const Limits& limits) {
  const std::uint64_t withheld = resolve.withheld_so_far();
  const auto prepared = prepare(value, resolve, limits, kJudging);
  if (!prepared) return {};
  std::vector<std::string> order;  // by last call
  for (const apiserver::CallEvent& event : prepared->admission.calls) {
    const std::string& key = prepared->admission.webhooks[static_cast<std::size_t>(event.index)].key;
    std::erase(order, key);
    order.push_back(key);
  }
  std::erase_if(order, [&](const std::string& webhook) {
    return shows(without_webhook(value, webhook), property, wanted, resolve, limits).has_value();
  });
  if (resolve.withheld_so_far() != withheld) return {};  // the run is over: nobody can be told
  return order;
}

std::size_t leaves(const Value& pod) {
  const auto count = [](const auto& self, const Value& value) -> std::size_t {
    if (value.empty()) return 1;
    std::size_t sum = 0;
    for (const Value& element : value.elements()) sum += self(self, element);
    for (const auto& member : value.members()) sum += self(self, member.value);
    return sum;
  };
  std::size_t sum = 0;
  for (const auto& member : pod.members()) {
    if (member.key.text() != "apiVersion" && member.key.text() != "kind") sum += count(count, member.value);
  }
  return sum;
}

}  // namespace fixpoint::runner
