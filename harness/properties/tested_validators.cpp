#include "harness/properties/tested_validators.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/judges/validating_phase.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/properties/single_changes.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

/// A webhook that adds the first annotation adds the map, too: the place is the annotation.
std::string member_of_map(const std::string& path, const Value& object) {
  const bool is_map = path == "metadata.annotations" || path == "metadata.labels";
  const Value map = is_map ? at_path(object, path) : Value();
  return map.is_object() && map.size() == 1 ? member_path(path, map.members().begin()->key.text()) : path;
}

}  // namespace

std::vector<apiserver::ConfiguredWebhook> tested_validators(const cases::Case& value) {
  auto webhooks = apiserver::read_validators(value);
  if (!webhooks) return {};
  std::erase_if(*webhooks, [](const apiserver::ConfiguredWebhook& webhook) { return !webhook.is_subject; });
  return *std::move(webhooks);
}

std::vector<ValidatorCall> validator_calls(const Examination& examination) {
  std::vector<ValidatorCall> calls;
  const auto& validating = examination.admission.validating;
  if (!validating || validating->calls.empty()) return calls;
  for (apiserver::ConfiguredWebhook& webhook : tested_validators(examination.value)) {
    const auto record = std::ranges::find(validating->calls, webhook.key, &cases::Validating::Call::webhook);
    if (record != validating->calls.end()) calls.push_back({std::move(webhook), *record});
  }
  return calls;
}

std::optional<cases::Validating> verdict_on(const Examination& examination, Value object) {
  const cases::Case& value = examination.value;
  if (apiserver::run_plugins(value.request, value.cluster, object)) return std::nullopt;
  const apiserver::Stored stored = stored_as_is(value, std::move(object));
  if (stored.status || !stored.invalid.empty()) return std::nullopt;
  auto webhooks = apiserver::read_validators(value);
  if (!webhooks) return std::nullopt;
  std::vector<std::string> warnings;
  return apiserver::judge_stored(
      value.request, value.cluster, stored.object, value.request.old_object,
      apiserver::minor_of(value.cluster), warnings,
      {.webhooks = *std::move(webhooks), .handlers = &examination.handlers, .limits = examination.limits});
}

std::vector<std::string> refused_changes(const Value& before, const apiserver::CallResult& result,
                                         const std::function<bool(const Value&)>& is_refused) {
  const Value after = as_sent(before, result);
  auto paths = changes_that_lead_to(is_refused, single_changes(before, after));
  for (std::string& path : paths) path = member_of_map(path, after);
  return paths;
}

}  // namespace fixpoint::properties
