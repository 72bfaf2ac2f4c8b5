#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"
#include "harness/webhooks/review.h"

namespace fixpoint::properties {

namespace {

using webhooks::Answer;

/// A violation of the AdmissionReview protocol by an answer (docs/simulator.md#3-5). In v1beta1 an answer may
/// leave out its version, as VerifyAdmissionResponse has it.
struct Fault {
  std::string_view what;
  std::string reason;
  std::string problem = {};  ///< of a call that brought no answer
};
std::optional<Fault> judge(const Answer& answer, std::string_view version) {
  if (answer.timed_out) return {};
  if (!answer.problem.empty())
    return Fault{"no-answer", "gives no AdmissionReview: " + answer.problem, answer.problem};
  const std::string wanted = "admission.k8s.io/" + std::string(version);
  const bool may_be_left_out = version == "v1beta1" && answer.api_version == webhooks::kNoApiVersion;
  if (!answer.api_version.empty() && answer.api_version != wanted && !may_be_left_out)
    return Fault{"apiVersion", "does not echo apiVersion " + wanted};
  if (answer.kind != "AdmissionReview" && !(version == "v1beta1" && answer.kind.empty()))
    return Fault{"kind", "does not echo kind AdmissionReview"};
  if (!answer.has_response) return Fault{"response", "has no response"};
  if (!answer.uid_echoed) return Fault{"uid", "does not echo the request's uid"};
  if (has_patch(answer) && !answer.patch_type) return Fault{"patchType", "has a patch without a patchType"};
  if (!has_patch(answer) && answer.patch_type) return Fault{"patchType", "has a patchType without a patch"};
  if (answer.patch_type && *answer.patch_type != "JSONPatch")
    return Fault{"patchType", "has the patchType \"" + *answer.patch_type + "\", which is none"};
  return {};
}

void report(const apiserver::ConfiguredWebhook& webhook, const Fault& fault, const std::string& when,
            std::vector<Violation>& violations) {
  for (const Violation& known : violations) {
    if (known.webhook == webhook.key && known.path == fault.what) return;
  }
  Violation violation{.webhook = webhook.key, .path = std::string(fault.what)};
  violation.shape = fault.what;
  if (!fault.problem.empty()) {  // what `answers` reports for the same answer
    violation.value = fault.problem;
    violation.symptom = "answers";
  }
  violation.reason = "the answer " + when + fault.reason;
  violations.push_back(std::move(violation));
}

/// A DELETE request has no object. A webhook that is registered for it must handle that, and has nothing to
/// patch. A refusal with 400 or 500 is no decision about the object: it was not understood.
void ask_removal(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations) {
  if (!is_registered_for(examination, call.webhook, "DELETE")) return;
  cases::Request removal = examination.value.request;
  removal.operation = "DELETE";
  removal.object = {};
  removal.old_object = call.event.before;
  const Value nothing;
  const Answer answer =
      examination.handlers.at(call.webhook.key)({.object = nothing,
                                                 .old_object = removal.old_object,
                                                 .request = removal,
                                                 .cluster = examination.value.cluster,
                                                 .webhook = call.webhook.key,
                                                 .review_version = call.webhook.review_version,
                                                 .uid = "fixpoint",
                                                 .name = removal.old_object["metadata"]["name"].text()});
  if (const auto fault = judge(answer, call.webhook.review_version))
    return report(call.webhook, *fault, "to a removal ", violations);
  const auto code = answer.status.code;
  if (!answer.allowed && (code == 400 || code == 500))
    return report(call.webhook,
                  {"removal", "is a refusal with " + std::to_string(code) + " (" + answer.status.message +
                                  "): no object of the kind can be deleted"},
                  "to a removal ", violations);
  if (has_patch(answer) && !answer.patch->empty())
    report(call.webhook, {"patch", "has a patch for an object that is not there"}, "to a removal ",
           violations);
}

Judgement protocol(const Examination& examination) {
  std::vector<Violation> violations;
  bool asked = false;
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
    if (webhook.is_policy || !event.result.called || is_answer_disturbed(examination, event)) continue;
    asked = true;
    if (is_excused(examination, event) || has_died_of_invalid(examination, event)) continue;
    if (const auto fault = judge(event.result.answer, webhook.review_version))
      report(webhook, *fault, "", violations);
  }
  if (!asked) return not_reached("no webhook was called");
  for (const FirstCall& call : first_calls(examination)) {
    if (call.webhook.is_policy) continue;
    ask_removal(examination, call, violations);
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kProtocol = {
    .name = "protocol",
    .claim = "Every answer is an AdmissionReview as its version has it, for removals too.",
    .is_cheap = false,
    .ask = protocol,
    .takes_any_kind = true,
    .applies_to = is_called,
    .explanation =
        {.example = "patchType is set although there is no patch.",
         .matters =
             "The v1 API takes that for a failed call: creation ends with 500 where nothing was to be done.",
         .fix = "Echo uid, apiVersion and kind; set patch and patchType together; answer 200 to anything you "
                "can read."},
};

}  // namespace fixpoint::properties
