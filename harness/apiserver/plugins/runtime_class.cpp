#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/plugins/amounts.h"
#include "harness/apiserver/plugins/plugin.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using document::Text;

using cases::Cluster;
using cases::Request;
using document::Member;
using document::Value;

/// Returns true if `wide` tolerates everything that `narrow` does (upstream's isSuperset).
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

/// The tolerations of a RuntimeClass as the server decodes them: without empty members.
Value decoded_tolerations(const Value& sent) {
  std::vector<Value> decoded;
  for (const Value& toleration : sent.elements()) {
    const auto read = decode_as(kToleration, toleration, kNewestMinor);
    decoded.push_back(read ? *read : toleration);
  }
  return Value(std::move(decoded));
}

bool same_quantities(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (const Member& member : a.members()) {
    const Value* other = b.find(member.key.name());
    if (other == nullptr) return false;
    const auto left = Quantity::parse(member.value.text()), right = Quantity::parse(other->text());
    if (!left || !right || !(*left == *right)) return false;
  }
  return true;
}

}  // namespace

Refusal runtime_class(const Request& request, const Cluster& cluster, Value& pod) {
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  if (pod["spec"]["runtimeClassName"].is_null()) return std::nullopt;
  const std::string name(pod["spec"]["runtimeClassName"].text());
  const Value* found = cluster.find("RuntimeClass", "", name);
  if (found == nullptr)
    return forbid(pod, Text("pod rejected: RuntimeClass {} not found").with({document::go_quoted(name)}));
  if (const Value& overhead = (*found)["overhead"]; !overhead.is_null()) {
    Value fixed = Value::empty_object();
    add_missing(fixed, overhead["podFixed"], Amounts::kept);
    const Value& own = pod["spec"]["overhead"];
    if (!own.empty() && !same_quantities(own, fixed)) {
      return forbid(
          pod,
          std::string(
              Text("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead").words()));
    }
    if (fixed.empty()) {
      pod.edit("spec").remove("overhead");
    } else {
      pod.edit("spec").set("overhead", std::move(fixed));
    }
  }
  const Value& scheduling = (*found)["scheduling"];
  if (scheduling.is_null()) return std::nullopt;
  for (const Member& member : scheduling["nodeSelector"].members()) {
    const Value* own = pod["spec"]["nodeSelector"].find(member.key.name());
    if (own != nullptr && own->text() != member.value.text()) {
      return forbid(
          pod, Text("conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; pod.spec.nodeSelector[{}] = {}")
                   .with({member.key.text(), member.value.text(), member.key.text(), own->text()}));
    }
    pod.edit("spec").edit("nodeSelector").set(member.key.name(), member.value);
  }
  Value merged =
      merge_tolerations(pod["spec"]["tolerations"], decoded_tolerations(scheduling["tolerations"]));
  if (!(merged == pod["spec"]["tolerations"]) && !(merged.empty() && pod["spec"]["tolerations"].empty())) {
    pod.edit("spec").set("tolerations", std::move(merged));
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::plugins
