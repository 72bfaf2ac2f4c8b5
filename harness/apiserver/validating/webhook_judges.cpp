#include <optional>
#include <string>
#include <utility>

#include "harness/apiserver/admission/dispatch.h"
#include "harness/apiserver/admission/match.h"
#include "harness/apiserver/decoding/nanoseconds.h"
#include "harness/apiserver/validating/judged_pod.h"
#include "harness/document/check.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Value;

/// What the server gives a new object before it stores it, as constants.
constexpr std::string_view kNewUid = "00000000-0000-0000-0000-000000000000";
constexpr std::string_view kNewTime = "2023-11-14T22:13:20Z";

/// The Pod as validating webhooks see it: with the metadata that the registry fills in.
Value shown_to_validators(const JudgedPod& judged) {
  Value pod = judged.pod;
  Value& metadata = pod.edit("metadata");
  if (judged.is_create()) {
    metadata.set("uid", kNewUid);
    metadata.set("creationTimestamp", kNewTime);
  }
  const bool changes = judged.is_create() || !(judged.pod == judged.old_pod);
  if (judged.request.managed_fields && changes) metadata.set("managedFields", fresh_managed_fields());
  return pod;
}

/// The webhooks that match, in their order; or the refusal of the first whose selectors or match conditions
/// fail, before any is called.
std::optional<cases::Status> match_all(const JudgedPod& judged, const Value& pod,
                                       std::vector<const ConfiguredWebhook*>& matching) {
  for (const ConfiguredWebhook& webhook : judged.validators.webhooks) {
    Match matched = match(webhook, judged.request, judged.cluster, pod);
    if (matched.status) return std::move(matched.status);
    if (matched.answer == Match::Answer::yes) matching.push_back(&webhook);
  }
  return std::nullopt;
}

}  // namespace

Judgement judge_by_webhooks(const JudgedPod& judged, std::vector<std::string>& warnings) {
  const Validators& validators = judged.validators;
  const Value pod = shown_to_validators(judged);
  std::vector<const ConfiguredWebhook*> matching;
  if (auto refused = match_all(judged, pod, matching)) return from_plugin(refused);
  std::map<std::string, int> numbers;
  if (validators.calls != nullptr) numbers = *validators.calls;
  std::optional<cases::Status> first;
  for (const ConfiguredWebhook* webhook : matching) {
    const auto handler = validators.handlers->find(webhook->key);
    document::check(handler != validators.handlers->end(), "every validating webhook has a handler");
    const std::string_view name = validators.name.empty() ? pod["metadata"]["name"].text() : validators.name;
    CallResult result = call_webhook(*webhook, handler->second,
                                     {.request = judged.request,
                                      .cluster = judged.cluster,
                                      .object = pod,
                                      .number = numbers[webhook->key] + 1,
                                      .minor = judged.minor,
                                      .name = name},
                                     validators.limits);
    if (result.called) ++numbers[webhook->key];
    for (std::string& warning : result.answer.warnings) warnings.push_back(std::move(warning));
    if (!first) first = std::move(result.status);
  }
  return from_plugin(first);
}

}  // namespace fixpoint::apiserver::validating
