#include "harness/apiserver/admission/admission.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using cases::Outcome;

/// Audit annotations of a call: the fact that it was made, its patch, and an ignored failure
/// (docs/simulator.md#3-8).
void annotate(const ConfiguredWebhook& webhook, const CallEvent& event, Outcome& outcome) {
  const std::string round =
      "round_" + std::to_string(event.pass - 1) + "_index_" + std::to_string(webhook.index);
  Value said{{"configuration", webhook.configuration}, {"webhook", webhook.name}};
  Value mutation = said;
  mutation.set("mutated", event.result.changed);
  outcome.audit_annotations["mutation.webhook.admission.k8s.io/" + round] = document::write_go_json(mutation);
  if (event.result.applied) {
    said.set("patch", *event.result.answer.patch);
    said.set("patchType", "JSONPatch");
    outcome.audit_annotations["patch.webhook.admission.k8s.io/" + round] = document::write_go_json(said);
  }
  if (event.result.error == CallError::ignored) {
    outcome.audit_annotations["failed-open.mutation.webhook.admission.k8s.io/" + round] = webhook.name;
  }
}

/// The patch as it was sent, for the record.
Value sent_patch(const webhooks::Answer& answer) {
  if (!answer.problem.empty() || !answer.patch) return {};
  return *answer.patch;
}

}  // namespace

Outcome outcome_of(const cases::Case& value, const Admission& admission) {
  Outcome outcome;
  outcome.case_name = value.name;
  outcome.allowed = admission.allowed;
  outcome.crashed = admission.crashed;
  if (!admission.crashed) outcome.status = admission.status;
  outcome.passes = admission.passes;
  outcome.object = admission.object;
  outcome.warnings = admission.warnings;
  outcome.invalid = admission.invalid;
  outcome.validating = admission.validating;
  for (const policies::PolicyEvent& event : admission.policies) {
    outcome.policies.push_back({.pass = event.pass,
                                .policy = event.policy,
                                .binding = event.binding,
                                .param = event.param,
                                .changed = event.changed,
                                .errors = event.errors});
  }
  // The audit log records the calls, and a server that crashes has not written it yet.
  if (admission.crashed) return outcome;
  for (const auto& [key, text] : admission.webhook_annotations) outcome.audit_annotations[key] = text;
  for (const CallEvent& event : admission.calls) {
    const ConfiguredWebhook& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    if (webhook.is_policy) continue;
    outcome.calls.push_back({.pass = event.pass,
                             .webhook = webhook.key,
                             .index = event.index,
                             .changed = event.result.changed,
                             .patch = sent_patch(event.result.answer),
                             .error = std::string(word(event.result.error))});
    if (event.result.error != CallError::condition) annotate(webhook, event, outcome);
  }
  return outcome;
}

}  // namespace fixpoint::apiserver
