#include "harness/apiserver/plugins/tolerations.h"

#include <algorithm>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/scheduling_types.h"

namespace fixpoint::apiserver::plugins {

using document::Value;

bool covers(const Value& wide, const Value& narrow) {
  if (wide == narrow) return true;
  if (narrow["key"].text() != wide["key"].text() &&
      (!wide["key"].text().empty() || wide["operator"].text() != "Exists")) {
    return false;
  }
  const auto effect = wide["effect"].text();
  if (narrow["effect"].text() != effect && !effect.empty()) return false;
  if (const auto seconds = wide["tolerationSeconds"].integer(); effect == "NoExecute" && seconds) {
    const auto narrow_seconds = narrow["tolerationSeconds"].integer();
    if (!narrow_seconds || *narrow_seconds > *seconds) return false;
  }
  const auto op = wide["operator"].text();
  if (op == "Exists") return true;
  return (op.empty() || op == "Equal") && narrow["operator"].text() == "Equal" &&
         narrow["value"].text() == wide["value"].text();
}

Value merge_tolerations(const Value& first, const Value& second) {
  std::vector<Value> all(first.elements().begin(), first.elements().end()), merged;
  all.insert(all.end(), second.elements().begin(), second.elements().end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto covered = [&](const Value& other) { return covers(other, all[i]); };
    const auto rest = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool redundant = std::any_of(merged.begin(), merged.end(), covered) ||
                           std::any_of(rest, all.end(), [&](const Value& other) {
                             return !(other == all[i]) && covered(other);
                           });
    if (!redundant) merged.push_back(all[i]);
  }
  return merged;
}

Value decoded_tolerations(const Value& sent) {
  std::vector<Value> decoded;
  for (const Value& toleration : sent.elements()) {
    const auto read = decode_as(kToleration, toleration, kNewestMinor);
    decoded.push_back(read ? *read : toleration);
  }
  return Value(std::move(decoded));
}

}  // namespace fixpoint::apiserver::plugins
