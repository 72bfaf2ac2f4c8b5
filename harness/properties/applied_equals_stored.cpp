#include "harness/apiserver/custom/durations.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/losses.h"
#include "harness/properties/ownership.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Returns true if two values are the same quantity or the same duration in other words.
bool is_same_in_other_words(const Value& sent, const Value& stored) {
  const std::string_view before = sent.text(), after = stored.text();
  const auto quantity = apiserver::Quantity::parse(before), other = apiserver::Quantity::parse(after);
  if (quantity && other) return *quantity == *other;
  const auto duration = apiserver::custom::read_duration_format(before);
  return duration && duration == apiserver::custom::read_duration_format(after);
}

/// A value of the spec that the webhook rewrites: what it replaces by one of its own, alone or with all
/// around it, or removes, is reported by preserves-others.
bool is_rewritten(OwnershipQuestion& question, const Loss& loss, const Value& sent) {
  if (loss.is_gone || !is_scalar(sent) || is_without_contents(sent) || !loss.path.starts_with("spec."))
    return false;
  if (question.of(loss) == Ownership::own) return false;
  for (std::size_t count = 2; count < loss.place.size(); ++count) {
    const Place around = loss.place.first(count);
    if (!around.is_element() && question.is_written_whole(around)) return false;
  }
  return true;
}

Judgement applied_equals_stored(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (!cases::kind_of(value.request, value.cluster).is_custom())
    return not_applicable("the object is no custom resource");
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : calls) {
    if (!call.event.result.applied) continue;
    OwnershipQuestion question(examination, call);
    for (const Loss& loss : losses_between(call.event.before, call.event.result.after)) {
      const Value sent = loss.place.in(call.event.before), now = loss.place.in(call.event.result.after);
      if (!is_rewritten(question, loss, sent)) continue;
      const std::string shape = shape_of(loss.path, call.event.before, call.event.result);
      if (is_same_in_other_words(sent, now)) {
        observations.push_back({.kind = "in-other-words",
                                .webhook = call.webhook.key,
                                .path = shape,
                                .because = "writes " + shape + " in other words than the manifest"});
        continue;
      }
      Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = loss.path};
      violation.value = sent;
      violation.shape = shape;
      violation.because = loss.path + " is stored otherwise than it was sent";
      violations.push_back(std::move(violation));
    }
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kAppliedEqualsStored = {
    .name = "applied-equals-stored",
    .claim = "Each value of a manifest's spec is stored as it was written.",
    .is_cheap = false,
    .ask = applied_equals_stored,
    .takes_any_kind = true,
    .explanation = {.example = "The host `Example.org` is stored in small letters.",
                    .matters = "Tools that compare git with the cluster show a difference for ever.",
                    .fix = "Normalise where the value is used, not where it is stored."},
};

}  // namespace fixpoint::properties
