#include <algorithm>

#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/types/repeated_keys.h"
#include "harness/cases/kind.h"
#include "harness/document/member_finder.h"
#include "harness/document/patch.h"
#include "harness/properties/judge.h"
#include "harness/properties/path_values.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

/// f(x) without the annotations that f wrote, and the key of the first of these.
struct Stripped {
  Value pod = {};
  std::string taken = {};
};
Stripped without_bookkeeping(const Value& before, const Value& after) {
  Stripped stripped{.pod = after};
  document::MemberFinder old(before["metadata"]["annotations"]);
  for (const document::Member& member : after["metadata"]["annotations"].members()) {
    if (old.find(member.key) != nullptr) continue;
    if (stripped.taken.empty()) stripped.taken = member.key.text();
    stripped.pod.edit("metadata").edit("annotations").remove(member.key.name());
  }
  if (stripped.pod["metadata"]["annotations"].empty() && !stripped.taken.empty())
    stripped.pod.edit("metadata").remove("annotations");
  return stripped;
}

/// Returns a Pod as a user copies it from a cluster to create another one: with a name of its own and without
/// the fields that the server sets.
Value copied_by_user(const Value& pod) {
  Value copy = pod;
  copy.edit("metadata").set("name", std::string(pod["metadata"]["name"].text()) + "-copy");
  copy.edit("metadata").remove("generateName");
  copy.edit("metadata").remove("managedFields");
  return copy;
}

/// Returns true if all that a call changed in its own output under another name is what it gives to the Pod
/// of its first call under that name: it keeps up to date what depends on the name. An element that it adds
/// for the new name must not leave that of the old one behind.
bool follows_name(const Examination& examination, const FirstCall& call, const Value& copy,
                  const Value& restored) {
  const CallResult first = call_afresh(examination, call.webhook, copied_by_user(call.event.before));
  if (!went_well(first)) return false;
  const auto expected = path_values_of(first.after), had = path_values_of(copy),
             has = path_values_of(restored);
  const auto changed = added(had, has);
  const bool is_expected = std::ranges::all_of(changed, [&](const PathValue& one) {
    const PathValue* there = find(expected, one.path);
    return there != nullptr && *there == one;
  });
  const auto is_new = [&](const PathValue& one) { return find(had, one.path) == nullptr; };
  const auto is_left_behind = [&](const PathValue& one) { return find(expected, one.path) == nullptr; };
  return is_expected && (std::ranges::none_of(changed, is_new) || std::ranges::none_of(has, is_left_behind));
}

/// Returns true for a custom resource if the call adds something that is named after the copy: what is of the
/// old name is left, which a user who renames a manifest sees there.
bool is_named_after(const Examination& examination, const Value& copy, const Value& restored) {
  const std::string_view name = copy["metadata"]["name"].text();
  if (!cases::kind_of(examination.value.request, examination.value.cluster).is_custom() || name.empty())
    return false;
  return std::ranges::any_of(
      added(path_values_of(copy), path_values_of(restored)), [&](const PathValue& one) {
        return one.value.is_string() && one.value.text().find(name) != std::string_view::npos;
      });
}

Violation changed_again(const FirstCall& call, const Value& before, const Value& after,
                        const CallResult& written_by, const std::string& when) {
  Violation violation{.webhook = call.webhook.key};
  violation.path = first_difference(before, after);
  violation.value = at_path(after, violation.path);
  violation.shape = shape_of(violation.path, after, written_by);
  violation.reason = when + " changes " + violation.path;
  return violation;
}

/// A call on a Pod much like the webhook's own output. The webhook may restore the annotations that the Pod
/// lacks; the rest of it must stay unchanged.
struct Again {
  Value kept = {}, restored = {};  ///< the Pod before and after the call, without annotations
  CallResult result = {};
  bool has_changed = false;
};
Again again_on(const Examination& examination, const FirstCall& call, const Value& variant) {
  Again again{.kept = variant, .result = call_afresh(examination, call.webhook, variant)};
  if (!went_well(again.result) || !again.result.applied) return again;
  again.restored = again.result.after;
  for (Value* pod : {&again.restored, &again.kept})
    if ((*pod)["metadata"].find("annotations") != nullptr) pod->edit("metadata").remove("annotations");
  again.has_changed = !apiserver::is_same_object(again.restored, again.kept);
  return again;
}

/// The annotations are the webhook's own, and nobody takes them away and leaves the rest.
void ask_guard(const Examination& examination, const FirstCall& call, const Value& once,
               std::vector<Observation>& observations) {
  const auto [variant, taken] = without_bookkeeping(call.event.before, once);
  if (taken.empty() || !again_on(examination, call, variant).has_changed) return;
  observations.push_back(
      {.kind = "annotation-guard",
       .webhook = call.webhook.key,
       .path = member_path("metadata.annotations", taken),
       .reason = "has the annotation " + taken +
                 " for its only guard: a Pod that was copied without it is changed again"});
}

void ask_copy(const Examination& examination, const FirstCall& call, const Value& once,
              std::vector<Violation>& violations) {
  const std::string when = "a call on a user's copy of its output";
  const Value variant = copied_by_user(once);
  const auto [kept, restored, first, has_changed] = again_on(examination, call, variant);
  if (!has_changed || follows_name(examination, call, kept, restored)) return;
  Violation violation = changed_again(call, kept, restored, first, when);
  violation.calls = {{when, call.webhook.key, variant, first}};
  std::string grown;
  if (has_grown(kept, restored, grown)) violation.verdict = "growing";
  const bool is_error = is_endless(violation.verdict) && !is_named_after(examination, kept, restored);
  violation.severity = is_error ? Severity::error : Severity::warning;
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
                            .reason = "answers its own output with a patch that changes nothing"});
  }
  ask_guard(examination, call, once, observations);
  ask_copy(examination, call, once, violations);
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
        {.example = "The guard reads another annotation than the webhook writes: all is added again.",
         .matters = "The server may call twice for one request; copies and restored backups come in already "
                    "injected.",
         .fix = "Guard each element by what is in the Pod, not by one annotation for all; call yourself "
                "twice in a "
                "test."},
};

}  // namespace fixpoint::properties
