#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/tested_validators.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Updates by clients and controllers that leave the spec alone.
struct Touch {
  const char* what;
  void (*make)(Value& old, Value& now);
};

void nothing(Value&, Value&) {}
void label(Value&, Value& now) {
  now.edit("metadata").edit("labels").set("fixpoint.example.io/touched", "yes");
}
void last_finalizer(Value& old, Value& now) { let_die(old, now, 0); }
constexpr std::array<Touch, 3> kTouches{{{"an update that changes nothing", nothing},
                                         {"a new label", label},
                                         {"the removal of a finalizer", last_finalizer}}};

/// A refusal to let a dying object go.
struct Refusal {
  std::string when = {};  ///< of which object
  std::string by;
  std::string said;
  const char* shape;
};

void tell_dying(const std::string& webhook, OwnCall own, const Refusal& refusal, LaterAnswers& answers) {
  if (!answers.violations.empty()) return;
  // An author may have sent what the webhook refuses before it was there, or while it was down.
  Violation violation{.severity = Severity::warning, .webhook = webhook, .path = "metadata"};
  violation.shape = refusal.shape;
  violation.reason = own.what + refusal.when + " is refused by " + refusal.by +
                     (refusal.said.empty() ? "" : ": " + refusal.said);
  violation.calls = {std::move(own)};
  answers.violations.push_back(std::move(violation));
}

/// Tells of a webhook that refused the object as a new one, and refuses to let it go.
void tell_not_taken(const std::string& webhook, OwnCall own, LaterAnswers& answers) {
  if (own.result.error != apiserver::CallError::denied) return;
  const std::string said = own.result.said.empty() ? own.result.answer.status.message : own.result.said;
  tell_dying(webhook, std::move(own),
             {.when = " of an object from before the webhook, which it would not take now,",
              .by = "the webhook",
              .said = said,
              .shape = "metadata.finalizers:refused"},
             answers);
}

class Question {
 public:
  Question(const Examination& examination, const FirstCall& call, LaterAnswers& answers)
      : examination_(examination), later_(examination, call.webhook), call_(call), answers_(answers) {}

  void ask() {
    const Value old = later_.created_without();
    if (old.is_null()) return;
    ask_dying(old);
    bool is_observed = false;
    for (const Touch& touch : kTouches) {
      Value before = old, now = old;
      touch.make(before, now);
      const cases::Request request = later_.update(before, now);
      const auto with = later_.with(request);
      if (!with || !was_asked(*with)) continue;
      answers_.is_asked = true;
      if (!was_taken(*with))
        tell_refusal(touch, request, *with);
      else if (!is_observed && !(later_.read_back(with)["spec"] == old["spec"]))
        is_observed = observe();
    }
  }

 private:
  /// A dying object gets rid of its finalizer, whatever the webhook would say to it as a new object.
  void ask_dying(const Value& old) {
    // update-safe tells that of an object which the webhook takes.
    if (call_.event.result.error != apiserver::CallError::denied) return;
    Value before = old, now = old;
    last_finalizer(before, now);
    const auto answered = later_.with(later_.update(before, now));
    if (!answered || !was_asked(*answered)) return;
    answers_.is_asked = true;
    tell_not_taken(call_.webhook.key, call_in(*answered, "the removal of a finalizer"), answers_);
  }

  /// A refusal by the webhook itself or by the registry belongs to update-safe.
  void tell_refusal(const Touch& touch, const cases::Request& request, const apiserver::Admission& with) {
    const bool is_judged = with.validating && with.validating->refuses();
    const auto without = later_.without(request);
    if (!is_judged || !answers_.violations.empty() || !without) return;
    if (!was_taken(*without)) return tell_validator(touch, with);
    const OwnCall own = call_in(with, std::string(touch.what) + " of an object from before the webhook");
    auto paths = refused_changes(own.before, own.result, [&](const Value& changed) {
      const auto judged = later_.without(later_.update(request.old_object, changed));
      return judged && judged->validating && judged->validating->refuses();
    });
    if (paths.empty()) paths = {first_difference(own.before, with.object)};
    for (const std::string& path : paths) tell_change(own, path, with);
  }

  void tell_change(const OwnCall& own, const std::string& path, const apiserver::Admission& with) {
    Violation violation{.webhook = call_.webhook.key, .path = path, .value = at_path(with.object, path)};
    violation.shape = shape_of(path, with.object, own.result);
    violation.reason = own.what + " is refused for " + path + ", which the call changed: " + refusal_of(with);
    violation.calls = {own};
    answers_.violations.push_back(std::move(violation));
  }

  /// A validating webhook beside the mutating one took the object when it was created.
  void tell_validator(const Touch& touch, const apiserver::Admission& with) {
    const auto& calls = with.validating->calls;
    const auto refusing = std::ranges::find_if(calls, [&](const cases::Validating::Call& one) {
      return one.error == "denied" && cases::webhook_ref(examination_.value, one.webhook).is_subject;
    });
    if (refusing == calls.end()) return;
    const std::string by = cases::webhook_ref(examination_.value, refusing->webhook).name;
    if (touch.make == last_finalizer)
      return tell_dying(refusing->webhook, call_in(with, touch.what),
                        {.by = by, .said = refusal_of(with), .shape = "metadata.finalizers:judged"},
                        answers_);
    if (touch.make != nothing) return;
    answers_.observations.push_back(
        {.kind = "refused-unchanged",
         .webhook = call_.webhook.key,
         .path = "status",
         .reason = "is beside " + by +
                   ", which refuses an update that changes nothing of what it took: " + refusal_of(with)});
  }

  bool observe() {
    answers_.observations.push_back({.kind = "brought-up-to-date",
                                     .webhook = call_.webhook.key,
                                     .path = "spec",
                                     .reason = "changes the spec of an object from before it in an update "
                                               "that leaves the spec alone"});
    return true;
  }

  const Examination& examination_;
  const LaterRequests later_;
  const FirstCall& call_;
  LaterAnswers& answers_;
};

/// A validating webhook that would not take the object as a new one is asked to let a dying one go, which is
/// from before it.
void ask_validators(const Examination& examination, LaterAnswers& answers) {
  for (const auto& [webhook, record] : validator_calls(examination)) {
    if (record.error != "denied" || !is_registered_for(examination, webhook, "UPDATE")) continue;
    Value old = as_kept(examination.admission.stored), now = old;
    last_finalizer(old, now);
    const cases::Request request = update_of(examination.value.request, std::move(old), std::move(now));
    const apiserver::CallResult result = WebhookCaller(examination).call(webhook, request.object, request);
    answers.is_asked = true;
    tell_not_taken(webhook.key, {"the removal of a finalizer", webhook.key, request.object, result}, answers);
  }
}

Judgement old_objects_live(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (cases::kind_of(value.request, value.cluster).is_pod()) return not_applicable("the object is a Pod");
  if (value.request.is_update()) return not_applicable("the request is an update itself");
  LaterAnswers answers;
  // Also of a webhook that refuses the object as a new one: it may be there from before.
  for (const apiserver::CallEvent& event : examination.admission.calls) {
    const bool is_answered = event.result.called && (event.result.error == apiserver::CallError::none ||
                                                     event.result.error == apiserver::CallError::denied);
    const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
    if (event.pass != 1 || !is_answered || is_disturbed(examination, event)) continue;
    if (!is_registered_for(examination, webhook, "UPDATE")) continue;
    const FirstCall call{webhook, event};
    Question(examination, call, answers).ask();
  }
  ask_validators(examination, answers);
  if (!answers.is_asked) return not_applicable("no webhook is asked for updates of what is stored");
  return judged(std::move(answers.violations), std::move(answers.observations));
}

}  // namespace

extern constinit const Property kOldObjectsLive = {
    .name = "old-objects-live",
    .claim = "An object from before the webhook can be updated without a change of its spec, and deleted.",
    .is_cheap = false,
    .ask = old_objects_live,
    .takes_any_kind = true,
    .explanation = {.example =
                        "A new default appears on UPDATE, and the validating webhook of the same operator "
                        "knows the field as immutable.",
                    .matters = "After the operator's upgrade its objects can neither be changed nor deleted.",
                    .fix =
                        "Set defaults at creation, or let the validator compare defaulted with defaulted."},
};

}  // namespace fixpoint::properties
