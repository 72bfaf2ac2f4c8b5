#include <algorithm>

#include "harness/apiserver/types/repeated_keys.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using apiserver::Repeated;

/// Returns how often the key of `found` occurs in its list in another Pod.
std::size_t count_in(const Value& pod, const Repeated& found) { return apiserver::count_key(pod, found); }

/// Returns true if the key is one of a container whose name the user gave to several: nobody can tell them
/// apart then, and the server refuses the Pod for that.
bool is_in_users_duplicate(const apiserver::Admission& admission, const Repeated& found) {
  const auto end = found.path.find(']');
  if (end == std::string::npos || end + 1 == found.path.size() || found.path.find("ontainers[") > end)
    return false;
  const Value name = at_path(admission.object, found.path.substr(0, end + 1) + ".name");
  std::size_t count = 0;
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"})
    for (const Value& container : admission.first["spec"][document::Name(list)].elements())
      count += container["name"] == name ? 1 : 0;
  return count > 1;
}

/// The last call that made the key more frequent in its list.
const CallEvent* culprit(const Examination& examination, const Repeated& found) {
  const auto& calls = examination.admission.calls;
  for (auto event = calls.rbegin(); event != calls.rend(); ++event) {
    if (event->result.applied && !is_answer_disturbed(examination, *event) &&
        count_in(event->result.after, found) > count_in(event->before, found))
      return &*event;
  }
  return nullptr;
}

/// The repeated calls of each webhook, made once.
using Repetitions = std::map<int, Repetition>;

/// Returns the verdict on repeated calls, if these change how often the key occurs; empty if they do not.
/// Other things that the webhook repeats in the Pod do not concern this key.
std::string verdict_of(const Examination& examination, int index, const Repeated& found, Repetitions& known) {
  auto there = known.find(index);
  if (there == known.end()) {
    const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(index)];
    WebhookCaller caller(examination);
    there =
        known.emplace(index, repeat(caller, webhook, examination.admission.first, examination.limits)).first;
  }
  const Repetition& again = there->second;
  if (again.is_broken_off || again.is_stable() || again.objects.size() < 2) return {};
  const std::size_t first = count_in(again.objects[1], found);
  const bool is_of_key = std::any_of(again.objects.begin() + 2, again.objects.end(),
                                     [&](const Value& pod) { return count_in(pod, found) != first; });
  return is_of_key ? again.verdict : "";
}

Violation describe(const Examination& examination, const Repeated& found, const CallEvent& event,
                   Repetitions& repetitions) {
  Violation violation;
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.verdict = verdict_of(examination, event.index, found, repetitions);
  const bool is_error = found.duplicate == apiserver::Duplicate::error || is_endless(violation.verdict);
  violation.severity = is_error ? Severity::error : Severity::warning;
  violation.path = found.path;
  violation.value = found.key;
  violation.shape = shape_of(found.path, examination.admission.object, event.result);
  const std::string quote = found.key.is_string() ? "\"" : "";
  const char* consequence = found.duplicate == apiserver::Duplicate::error ? "rejects the Pod (422)"
                                                                           : "takes the Pod with a warning";
  violation.reason = "duplicate " + quote + std::string(found.key.text()) + quote + " at " + found.path +
                     ": the API server " + consequence;
  return violation;
}

Judgement no_duplicate_names(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.object.is_null()) return not_reached("the request was refused before the end of admission");
  if (admission.calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  Repetitions repetitions;
  if (admission.object.same(admission.first)) return judged({});
  for (const Repeated& found : apiserver::repeated_keys(admission.object)) {
    if (count_in(admission.object, found) <= count_in(admission.first, found)) continue;
    if (is_in_users_duplicate(admission, found)) continue;
    if (const CallEvent* event = culprit(examination, found)) {
      violations.push_back(describe(examination, found, *event, repetitions));
    }
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kNoDuplicateNames = {
    .name = "no-duplicate-names",
    .claim = "No keyed list of the final Pod holds a key more often than the request's Pod did.",
    .is_cheap = true,
    .ask = no_duplicate_names,
    .symptom = "duplicate",
    .explanation = {.example = "The second call appends the volume again: spec.volumes has its name twice.",
                    .matters = "The API server refuses the Pod with 422, or takes it with a warning and one "
                               "entry hides the other.",
                    .fix = "Look for the element by its key, in every list that shares it, before adding it; "
                           "update it when it is "
                           "there."},
};

}  // namespace fixpoint::properties
