#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

Judgement dry_run_equal(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  const auto ask_anew = [&](const FirstCall& call, bool is_dry) {
    cases::Request request = examination.value.request;
    request.dry_run = is_dry;
    return WebhookCaller(examination).call(call.webhook, call.event.before, request);
  };
  // The call with the Case's own value of dryRun was usually made before.
  const auto ask = [&](const FirstCall& call, bool is_dry) {
    return is_dry == examination.value.request.dry_run
               ? call_afresh(examination, call.webhook, call.event.before)
               : ask_anew(call, is_dry);
  };
  std::vector<Violation> violations;
  bool asked = false;
  for (const FirstCall& call : calls) {
    if (!call.webhook.side_effects.starts_with("None")) continue;
    asked = true;
    const auto real = ask(call, false), dry = ask(call, true);
    if (has_timed_out(real, dry) || (real.error == dry.error && real.after == dry.after)) continue;
    const auto once_more = ask_anew(call, false);
    if (once_more.error != real.error || !(once_more.after == real.after)) continue;  // no two calls agree
    Violation violation =
        violation_at(call.webhook, first_difference(differing(dry.after, real.after)), real.after, real);
    violation.severity = real.error != dry.error ? Severity::error : Severity::warning;
    if (real.error != dry.error) violation.path = violation.shape = "allowed";
    violation.reason =
        "a dry run is answered otherwise: " + (violation.path.empty() ? "the object" : violation.path) +
        " differs";
    violation.calls = {{"the request", call.webhook.key, call.event.before, real},
                       {"the same as a dry run", call.webhook.key, call.event.before, dry}};
    violations.push_back(std::move(violation));
  }
  if (!asked) return not_applicable("no webhook says that it can be asked for a dry run");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kDryRunEqual = {
    .name = "dry-run-equal",
    .claim = "A dry run gets the answer that the real request gets.",
    .is_cheap = false,
    .ask = dry_run_equal,
    .takes_any_kind = true,
    .explanation =
        {.example = "Nothing is injected into a dry run.",
         .matters = "kubectl diff and server-side previews show another Pod than the one that is created.",
         .fix = "Compute the same patch and leave out the side effects alone."},
};

}  // namespace fixpoint::properties
