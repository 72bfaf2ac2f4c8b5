#include <algorithm>
#include <set>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using cases::ApiAccess;

bool reads_cluster(const CallResult& result) { return !result.answer.accesses.empty(); }

bool persists(const ApiAccess& access) { return access.is_write() && !access.is_dry_run; }

bool is_same_write(const ApiAccess& a, const ApiAccess& b) {
  return a.verb == b.verb && a.kind == b.kind && a.resource == b.resource &&
         a.namespace_name == b.namespace_name && a.name == b.name;
}

/// Returns the writes that both of two equal calls made. What a webhook does beside its calls, such as
/// renewing its certificate, happens in one of them by chance.
std::vector<ApiAccess> writes_of_both(const CallResult& one, const CallResult& other) {
  std::vector<ApiAccess> writes;
  for (const ApiAccess& access : one.answer.accesses) {
    const auto& others = other.answer.accesses;
    if (persists(access) && std::any_of(others.begin(), others.end(),
                                        [&](const ApiAccess& same) { return is_same_write(access, same); }))
      writes.push_back(access);
  }
  return writes;
}

CallResult call_with(const Examination& examination, const FirstCall& call, bool is_dry_run) {
  cases::Request request = examination.value.request;
  request.dry_run = is_dry_run;
  return WebhookCaller(examination).call(call.webhook, call.event.before, request);
}

/// Adds a violation for each kind of object that two equal calls write.
void add_writes(const Examination& examination, const FirstCall& call, bool is_dry_run,
                std::vector<Violation>& violations) {
  const CallResult once = call_with(examination, call, is_dry_run);
  if (std::none_of(once.answer.accesses.begin(), once.answer.accesses.end(), persists)) return;
  std::set<std::string> seen;
  for (const ApiAccess& access : writes_of_both(once, call_with(examination, call, is_dry_run))) {
    Violation violation{.severity = is_dry_run ? Severity::error : Severity::warning,
                        .webhook = call.webhook.key,
                        .path = "cluster"};
    violation.shape = access.verb + " " + (access.kind.empty() ? access.resource : access.kind);
    if (!seen.insert(violation.shape).second) continue;
    violation.value = describe(access);
    violation.reason =
        (is_dry_run ? "a dry run changes the cluster: "
                    : "the configuration says sideEffects: None, and a call changes the cluster: ") +
        describe(access);
    violation.calls = {
        {is_dry_run ? "the request as a dry run" : "the request", call.webhook.key, call.event.before, once}};
    violations.push_back(std::move(violation));
  }
}

Judgement no_side_effects(const Examination& examination) {
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    // The server rejects a dry run that matches any other webhook.
    if (!call.webhook.side_effects.starts_with("None")) continue;
    if (!reads_cluster(call.event.result)) continue;
    is_asked = true;
    add_writes(examination, call, true, violations);
    if (call.webhook.side_effects == "None" && violations.empty())
      add_writes(examination, call, false, violations);
  }
  if (!is_asked) return not_applicable("no webhook that says it has no side effects uses the cluster's API");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kNoSideEffects = {
    .name = "no-side-effects",
    .claim = "A dry run changes nothing in the cluster, and no call does if sideEffects is None.",
    .is_cheap = false,
    .ask = no_side_effects,
    .takes_any_kind = true,
    .applies_to = is_called,
    .explanation =
        {.example = "The webhook creates a ConfigMap for each Pod, for that of a dry run, too.",
         .matters = "kubectl diff and server-side previews leave objects behind that nobody asked for.",
         .fix =
             "Return before the write if request.dryRun is true and declare NoneOnDryRun, or leave the write "
             "to a controller."},
};

}  // namespace fixpoint::properties
