#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/types/repeated_keys.h"
#include "harness/document/member_finder.h"
#include "harness/document/patch.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

/// Returns f(x) without the annotations that f wrote, as if a guard's bookkeeping had been lost.
Value without_bookkeeping(const Value& before, const Value& after) {
  if (after["metadata"].find("annotations") == nullptr) return after;
  document::MemberFinder old(before["metadata"]["annotations"]);
  std::vector<document::Member> kept;
  for (const document::Member& member : after["metadata"]["annotations"].members())
    if (old.find(member.key) != nullptr) kept.push_back(member);
  Value stripped = after;
  if (kept.empty()) {
    stripped.edit("metadata").remove("annotations");
  } else {
    stripped.edit("metadata").set("annotations", std::move(kept));
  }
  return stripped;
}

/// Returns f(x) as a user copies it from a cluster to create another Pod: with a name of its own and without
/// the fields that the server sets.
Value copied_by_user(const Value& after) {
  Value copy = after;
  copy.edit("metadata").set("name", std::string(after["metadata"]["name"].text()) + "-copy");
  copy.edit("metadata").remove("generateName");
  copy.edit("metadata").remove("managedFields");
  return copy;
}

Violation changed_again(const FirstCall& call, const Value& before, const Value& after,
                        const CallResult& written_by, const std::string& when) {
  Violation violation{.webhook = call.webhook.key};
  violation.path = first_difference(before, after);
  violation.value = at_path(after, violation.path);
  violation.shape = shape_of(violation.path, after, written_by);
  violation.because = when + " changes " + violation.path;
  return violation;
}

void ask_variant(const Examination& examination, const FirstCall& call, const Value& variant,
                 const std::string& when, std::vector<Violation>& violations) {
  WebhookCaller caller(examination);
  const CallResult first = caller.call(call.webhook, variant);
  if (first.error != apiserver::CallError::none || !first.applied) return;
  // The webhook may restore the annotations that the variant lacks; the rest of the Pod must stay unchanged.
  Value restored = first.after, kept = variant;
  for (Value* pod : {&restored, &kept}) {
    if ((*pod)["metadata"].find("annotations") != nullptr) pod->edit("metadata").remove("annotations");
  }
  if (apiserver::is_same_object(restored, kept)) return;
  Violation violation = changed_again(call, kept, restored, first, when);
  violation.calls = {{when, call.webhook.key, variant, first}};
  std::string grown;
  if (has_grown(kept, restored, grown)) violation.verdict = "growing";
  violation.severity = is_endless(violation.verdict) ? Severity::error : Severity::warning;
  violations.push_back(std::move(violation));
}

void ask(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations,
         std::vector<Observation>& observations) {
  const Repetition again = repeat(examination, call);
  if (again.is_broken_off || again.objects.size() < 2) return;
  const Value& once = again.objects[1];
  // A webhook that handles the first of a user's duplicates in each call reaches the others in later calls.
  if (!again.is_stable() && !is_endless(again.verdict) &&
      !apiserver::repeated_keys(call.event.before).empty())
    return;
  WebhookCaller fresh(examination);
  fresh.call(call.webhook, call.event.before);
  const CallResult second = fresh.call(call.webhook, once);
  if (!again.is_stable()) {
    if (!second.applied) return;  // not confirmed: the webhook fails, or changes the Pod, only in some calls
    Violation violation = changed_again(call, once, second.after, second, "a second call on its own output");
    violation.verdict = again.verdict;
    violation.calls = {{"a second call on its own output", call.webhook.key, once, second}};
    violation.severity = is_endless(violation.verdict) ? Severity::error : Severity::warning;
    violations.push_back(std::move(violation));
    return;
  }
  if (second.applied) {
    observations.push_back({.kind = "empty-patch",
                            .webhook = call.webhook.key,
                            .path = "patch",
                            .because = "answers its own output with a patch that changes nothing"});
  }
  ask_variant(examination, call, without_bookkeeping(call.event.before, once),
              "a call on its own output without its annotations", violations);
  ask_variant(examination, call, copied_by_user(once), "a call on a user's copy of its output", violations);
}

Judgement idempotent(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : calls) ask(examination, call, violations, observations);
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kIdempotent = {
    .name = "idempotent",
    .claim = "A webhook called on its own output changes nothing.",
    .is_cheap = false,
    .ask = idempotent,
    .takes_any_kind = true,
    .symptom = "unstable",
    .explanation =
        {.example = "A guard in an annotation is lost when a user copies the Pod, and all is added again.",
         .matters = "The server may call twice for one request; copies and restored backups come in already "
                    "injected.",
         .fix = "Guard each element by what is in the Pod, not by one annotation for all; call yourself "
                "twice in a "
                "test."},
};

}  // namespace fixpoint::properties
