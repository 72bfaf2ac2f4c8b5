#include <optional>
#include <string>
#include <utility>

#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/apiserver/dispatch/match.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/judges/judged_pod.h"
#include "harness/document/check.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Value;

/// Fields that the server sets on a new object before it stores it, as constants.
constexpr std::string_view kNewUid = "00000000-0000-0000-0000-000000000000";
constexpr std::string_view kNewTime = "2023-11-14T22:13:20Z";
/// Validating webhooks run in one round; the index is that among those that match.
const std::string kFailedOpen = "failed-open.validating.webhook.admission.k8s.io/round_0_index_";

/// The Pod as validating webhooks see it: with the metadata that the registry fills in.
Value shown_to_validators(const JudgedPod& judged) {
  Value pod = judged.pod;
  Value& metadata = pod.edit("metadata");
  if (judged.is_create()) {
    metadata.set("uid", kNewUid);
    metadata.set("creationTimestamp", kNewTime);
  }
  const Value& tracked = judged.validators.managed_fields;
  if (judged.request.managed_fields && !tracked.is_null()) metadata.set("managedFields", tracked);
  return pod;
}

/// A webhook that is called, and the kind in the version in which it gets the object.
struct Matching {
  const ConfiguredWebhook* webhook;
  cases::Kind kind;
};

/// The webhooks that match, in their order; or the refusal of the first whose selectors or match conditions
/// fail, before any is called.
std::optional<cases::Status> match_all(const JudgedPod& judged, const Value& pod,
                                       std::vector<Matching>& matching) {
  for (const ConfiguredWebhook& webhook : judged.validators.webhooks) {
    Match matched = match(webhook, judged.request, judged.cluster, pod);
    if (matched.status) return std::move(matched.status);
    if (matched.answer == Match::Answer::yes) matching.push_back({&webhook, matched.kind});
  }
  return std::nullopt;
}

/// Records a call, and what it adds to the audit log: the webhook's own annotations, of which the first of a
/// key counts, and a failure that failurePolicy ignores.
void record_call(const ConfiguredWebhook& webhook, const CallResult& result, int index,
                 cases::Validating& record) {
  record.calls.push_back({.webhook = webhook.key,
                          .index = index,
                          .is_sent = result.called,
                          .code = result.status ? result.status->code : 0,
                          .error = std::string(word(result.error))});
  for (const auto& [key, text] : result.answer.audit_annotations) {
    const std::string whole = webhook.name + "/" + key;
    if (is_audit_key(whole)) record.audit_annotations.emplace(whole, text);
  }
  if (result.error == CallError::ignored)
    record.audit_annotations[kFailedOpen + std::to_string(index)] = webhook.name;
}

}  // namespace

Judgement judge_by_webhooks(const JudgedPod& judged, Said& said) {
  const Validators& validators = judged.validators;
  const Value pod = shown_to_validators(judged);
  std::vector<Matching> matching;
  if (auto refused = match_all(judged, pod, matching)) return from_plugin(refused);
  std::map<std::string, int> numbers;
  if (validators.calls != nullptr) numbers = *validators.calls;
  std::optional<cases::Status> first;
  for (int index = 0; const auto& [webhook, kind] : matching) {
    const Value shown = in_version(pod, judged.request, kind);
    const auto handler = validators.handlers->find(webhook->key);
    document::check(handler != validators.handlers->end(), "every validating webhook has a handler");
    const std::string_view name = validators.name.empty() ? pod["metadata"]["name"].text() : validators.name;
    CallResult result = call_webhook(*webhook, handler->second,
                                     {.request = judged.request,
                                      .cluster = judged.cluster,
                                      .object = shown,
                                      .number = numbers[webhook->key] + 1,
                                      .minor = judged.minor,
                                      .name = name,
                                      .kind = &kind},
                                     validators.limits);
    if (result.called) ++numbers[webhook->key];
    for (std::string& warning : result.answer.warnings) said.warnings.push_back(std::move(warning));
    record_call(*webhook, result, index++, said.record);
    if (!first) first = std::move(result.status);
  }
  return from_plugin(first);
}

}  // namespace fixpoint::apiserver::validating
