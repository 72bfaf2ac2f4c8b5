#include <array>

#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"

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

class Question {
 public:
  Question(const Examination& examination, const FirstCall& call, LaterAnswers& answers)
      : later_(examination, call.webhook), call_(call), answers_(answers) {}

  void ask() {
    const Value old = later_.created_without();
    if (old.is_null()) return;
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
  /// A refusal by the webhook itself or by the registry belongs to update-safe.
  void tell_refusal(const Touch& touch, const cases::Request& request, const apiserver::Admission& with) {
    const bool is_judged = with.validating && with.validating->refuses();
    const auto without = later_.without(request);
    if (!is_judged || !answers_.violations.empty() || !without || !was_taken(*without)) return;
    const OwnCall own = call_in(with, std::string(touch.what) + " of an object from before the webhook");
    const std::string path = first_difference(own.before, with.object);
    Violation violation{.webhook = call_.webhook.key, .path = path, .value = at_path(with.object, path)};
    violation.shape = shape_of(path, with.object, own.result);
    violation.because =
        own.what + " is refused for " + path + ", which the call changed: " + refusal_of(with);
    violation.calls = {own};
    answers_.violations.push_back(std::move(violation));
  }

  bool observe() {
    answers_.observations.push_back({.kind = "brought-up-to-date",
                                     .webhook = call_.webhook.key,
                                     .path = "spec",
                                     .because = "changes the spec of an object from before it in an update "
                                                "that leaves the spec alone"});
    return true;
  }

  const LaterRequests later_;
  const FirstCall& call_;
  LaterAnswers& answers_;
};

Judgement old_objects_live(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (cases::kind_of(value.request, value.cluster).is_pod()) return not_applicable("the object is a Pod");
  return judged_by_updates(examination, [&](const FirstCall& call, LaterAnswers& answers) {
    Question(examination, call, answers).ask();
  });
}

}  // namespace

extern constinit const Property kOldObjectsLive = {
    .name = "old-objects-live",
    .claim = "An object from before the webhook can be updated without a change of its spec.",
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
