#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallResult;

Violation refused(const FirstCall& call, const CallResult& second) {
  Violation violation{.webhook = call.webhook.key, .path = "allowed"};
  violation.shape = "second-call:" + std::string(apiserver::word(second.error));
  const bool is_denied = second.error == CallError::denied;
  violation.value = is_denied ? second.answer.status.message : second.problem;
  violation.reason =
      is_denied ? "a second call refuses the webhook's own output" : "a call on its own output fails";
  violation.calls = {{"a second call on its own output", call.webhook.key, call.event.result.after, second}};
  return violation;
}

Judgement accepts_own_output(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    WebhookCaller caller(examination);
    caller.skip(call.webhook);
    const CallResult second = caller.call(call.webhook, call.event.result.after);
    if (second.called && !went_well(second)) violations.push_back(refused(call, second));
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kAcceptsOwnOutput = {
    .name = "accepts-own-output",
    .claim = "A webhook does not refuse its own output.",
    .is_cheap = false,
    .ask = accepts_own_output,
    .takes_any_kind = true,
    .explanation = {.example = "The webhook denies a Pod whose resources it translated at the first call.",
                    .matters =
                        "With reinvocation, or when the Pod is created from a live one, creation is refused.",
                    .fix = "Allow what is done already, with no patch."},
};

}  // namespace fixpoint::properties
