#include <utility>

#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"

namespace fixpoint::properties {

namespace {

/// Returns the object after the members of the manifest were put over it, lists as a whole: how a client
/// applies a manifest to a custom resource (RFC 7396).
Value merged(Value object, const Value& manifest) {
  if (!object.is_object()) object = Value::empty_object();
  for (const document::Member& member : manifest.members()) {
    const Value old = object[member.key.name()];
    object.set(member.key.name(), member.value.is_object() ? merged(old, member.value) : member.value);
  }
  return object;
}

/// Returns the part of an object that is in its manifest.
Value manifest_of(Value object) {
  object.remove("status");
  Value metadata = Value::empty_object();
  for (const char* kept : {"labels", "annotations"})
    if (object["metadata"][kept].is_object()) metadata.set(kept, object["metadata"][kept]);
  object.set("metadata", std::move(metadata));
  return object;
}

Violation refusal(const FirstCall& call, const apiserver::Admission& applied) {
  Violation violation{.webhook = call.webhook.key, .path = "metadata", .symptom = "applied-again"};
  violation.shape = "metadata:refused";
  violation.reason =
      "the manifest that was applied is refused when it is applied again: " + refusal_of(applied);
  violation.value = refusal_of(applied);
  return violation;
}

std::optional<Violation> change(const FirstCall& call, const Value& manifest, const Value& stored,
                                const Value& applied) {
  const Value old = without_bookkeeping(stored), now = without_bookkeeping(applied);
  if (old == now) return std::nullopt;
  const std::string path = first_difference(old, now);
  // An empty text that is taken for an absent one is what explicit-kept observes.
  if (is_without_contents(at_path(manifest, path))) return std::nullopt;
  Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = path};
  violation.value = at_path(now, path);
  violation.shape = shape_of(path, now, call.event.result);
  violation.reason = path + " changes when the manifest that was applied is applied again";
  return violation;
}

std::optional<Violation> not_taken(const Examination& examination, const FirstCall& call, bool& is_asked) {
  const LaterRequests later(examination, call.webhook);
  const Value stored = later.created_with();
  if (stored.is_null()) return std::nullopt;
  const Value manifest = manifest_of(examination.value.request.object);
  const cases::Request request = later.update(stored, merged(stored, manifest));
  const auto with = later.with(request);
  if (!with || !was_asked(*with)) return std::nullopt;
  is_asked = true;
  // A change that happens without anything sent belongs to settles-when-stored, update-safe and idempotent.
  const Value left = later.read_back(later.with(later.update(stored, stored)));
  if (left.is_null() || !(without_bookkeeping(left) == without_bookkeeping(stored))) return std::nullopt;
  std::optional<Violation> violation;
  if (was_taken(*with)) {
    violation = change(call, manifest, stored, later.read_back(with));
  } else if (const auto without = later.without(request); without && was_taken(*without)) {
    violation = refusal(call, *with);
  }
  if (violation) violation->calls = {call_in(*with, "the same manifest, applied again")};
  return violation;
}

Judgement applied_again(const Examination& examination) {
  const cases::Case& value = examination.value;
  // Lists of other kinds are merged by their keys.
  if (!cases::kind_of(value.request, value.cluster).is_custom())
    return not_applicable("the object is no custom resource");
  if (value.request.object["metadata"]["name"].text().empty())
    return not_applicable("an object with a generateName is created, never applied");
  return judged_by_updates(examination, [&](const FirstCall& call, LaterAnswers& answers) {
    if (auto violation = not_taken(examination, call, answers.is_asked))
      answers.violations.push_back(*std::move(violation));
  });
}

}  // namespace

extern constinit const Property kAppliedAgain = {
    .name = "applied-again",
    .claim = "Applying a manifest a second time is taken and changes nothing.",
    .is_cheap = false,
    .ask = applied_again,
    .takes_any_kind = true,
    .explanation = {.example =
                        "The manifest has no replicas, the stored object has: the second `kubectl apply` "
                        "is refused as a change of what may not change.",
                    .matters = "Whoever keeps manifests in git cannot apply them any more.",
                    .fix = "Compare defaulted with defaulted, and let through what does not differ."},
};

}  // namespace fixpoint::properties
