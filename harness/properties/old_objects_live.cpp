#include <algorithm>
#include <array>

#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// What clients and controllers do to an object without touching its spec.
struct Touch {
  const char* what;
  void (*make)(Value& old, Value& now);
};

void nothing(Value&, Value&) {}
void label(Value&, Value& now) {
  now.edit("metadata").edit("labels").set("fixpoint.example.io/touched", "yes");
}
void last_finalizer(Value& old, Value& now) {
  for (Value* object : {&old, &now}) {
    object->edit("metadata").set("deletionTimestamp", "2026-01-01T00:00:00Z");
    object->edit("metadata").set("deletionGracePeriodSeconds", 0);
    object->edit("metadata").remove("finalizers");
  }
  old.edit("metadata").set("finalizers", Value::list({"fixpoint.example.io/keep"}));
}
constexpr std::array<Touch, 3> kTouches{{{"an update that changes nothing", nothing},
                                         {"a new label", label},
                                         {"the removal of a finalizer", last_finalizer}}};

class Question {
 public:
  Question(const Examination& examination, const FirstCall& call)
      : later_(examination, call.webhook), call_(call) {}
  bool is_asked = false;

  void ask(std::vector<Violation>& violations, std::vector<Observation>& observations) {
    const Value old = later_.created_without();
    if (old.is_null()) return;
    for (const Touch& touch : kTouches) {
      Value before = old, now = old;
      touch.make(before, now);
      const cases::Request request = later_.update(before, now);
      const auto with = later_.with(request);
      if (!with || !was_asked(*with)) continue;
      is_asked = true;
      if (!was_taken(*with))
        tell_refusal(touch, request, *with, violations);
      else if (observations.empty() && !(later_.read_back(with)["spec"] == old["spec"]))
        observations.push_back({.kind = "brought-up-to-date",
                                .webhook = call_.webhook.key,
                                .path = "spec",
                                .because = "changes the spec of an object from before it in an update that "
                                           "leaves the spec alone"});
    }
  }

 private:
  /// What the webhook itself or the registry refuses is told by update-safe.
  void tell_refusal(const Touch& touch, const cases::Request& request, const apiserver::Admission& with,
                    std::vector<Violation>& violations) const {
    const bool is_judged = with.validating && with.validating->refuses();
    const auto without = later_.without(request);
    if (!is_judged || !violations.empty() || !without || !was_taken(*without)) return;
    const OwnCall own = call_in(with, std::string(touch.what) + " of an object from before the webhook");
    const std::string path = first_difference(own.before, with.object);
    Violation violation{.webhook = call_.webhook.key, .path = path, .value = at_path(with.object, path)};
    violation.shape = shape_of(path, with.object, own.result);
    violation.because =
        own.what + " is refused for " + path + ", which the call changed: " + refusal_of(with);
    violation.calls = {own};
    violations.push_back(std::move(violation));
  }

  LaterRequests later_;
  const FirstCall& call_;
};

Judgement old_objects_live(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (value.request.is_update()) return not_applicable("the request is an update itself");
  if (cases::kind_of(value.request, value.cluster).is_pod()) return not_applicable("the object is a Pod");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    if (!is_registered_for(examination, call.webhook, "UPDATE")) continue;
    Question question(examination, call);
    std::vector<Observation> seen;
    question.ask(violations, seen);
    observations.insert(observations.end(), seen.begin(), seen.end());
    is_asked = is_asked || question.is_asked;
  }
  if (!is_asked) return not_applicable("no webhook is asked for updates of what is stored");
  return judged(std::move(violations), std::move(observations));
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
