#include "harness/properties/acted.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/cut.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

/// Returns the keys whose values differ between the two maps.
std::vector<std::string_view> differing_keys(const Value& before, const Value& after) {
  std::vector<std::string_view> keys;
  for (const auto& member : before.members()) {
    if (!(after[member.key.name()] == member.value)) keys.push_back(member.key.text());
  }
  for (const auto& member : after.members()) {
    if (before.find(member.key.name()) == nullptr) keys.push_back(member.key.text());
  }
  return keys;
}

/// Returns true for an annotation or label in which a webhook records that it ran, such as example.io/status.
bool is_status_key(std::string_view key) { return key.find("status") != std::string_view::npos; }

bool has_changed(const Value& before, const Value& after) {
  if (before.same(after)) return false;
  if (!(before["spec"] == after["spec"])) return true;
  std::vector<std::string_view> keys;
  for (const std::string_view member : differing_keys(before["metadata"], after["metadata"])) {
    if (member == "managedFields") continue;
    if (member != "labels" && member != "annotations") return true;
    const document::Name name(member);
    const auto more = differing_keys(before["metadata"][name], after["metadata"][name]);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys.size() > 1 || (keys.size() == 1 && !is_status_key(keys.front()));
}

}  // namespace

bool has_acted(const Value& before, const CallResult& result) {
  if (result.error == apiserver::CallError::denied) return result.answer.status.code != 500;
  return result.applied && has_changed(before, result.after);
}

std::vector<bool> acting_calls(const cases::Case& value, const apiserver::Admission& admission) {
  std::vector<bool> acting;
  for (const apiserver::CallEvent& event : admission.calls) {
    document::heed_end();  // thousands of policies, each of which adds a label, make this quadratic
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    acting.push_back(webhook.is_subject && !is_faulted(value, webhook.key, event.number) &&
                     has_acted(event.before, event.result));
  }
  return acting;
}

bool has_acted(const cases::Case& value, const apiserver::Admission& admission) {
  const std::vector<bool> acting = acting_calls(value, admission);
  return std::find(acting.begin(), acting.end(), true) != acting.end();
}

}  // namespace fixpoint::properties
