#include <algorithm>
#include <optional>
#include <utility>

#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Returns true if the webhook leaves its own output alone, as it was sent: `idempotent` tells the others.
bool leaves_its_output_alone(const Examination& examination, const FirstCall& call) {
  const auto once = call_afresh(examination, call.webhook, call.event.before);
  if (!went_well(once)) return false;
  const auto twice = call_afresh(examination, call.webhook, once.after);
  return went_well(twice) && twice.after == once.after;
}

/// Returns true if the whole has all members and elements of the part: the server dropped nothing.
bool has_all_of(const Value& whole, const Value& part) {
  if (part.is_object())
    return std::ranges::all_of(part.members(), [&](const document::Member& member) {
      const Value* value = whole.find(member.key.name());
      return value != nullptr && has_all_of(*value, member.value);
    });
  if (!part.is_array()) return whole == part;
  if (part.size() != whole.size()) return false;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (!has_all_of(whole.at(i), part.at(i))) return false;
  return true;
}

std::optional<Violation> unsettled(const Examination& examination, const FirstCall& call, bool& is_asked) {
  const LaterRequests later(examination, call.webhook);
  const Value stored = later.created_with();
  if (stored.is_null()) return std::nullopt;
  // If the server drops a field of the author's own, the webhook gets another object the next time.
  const Value without = later.created_without();
  if (without.is_null() || !has_all_of(without["spec"], examination.admission.received["spec"]))
    return std::nullopt;
  const auto updated = later.with(later.update(stored, stored));
  if (!updated || !was_asked(*updated) || !was_taken(*updated)) return std::nullopt;
  is_asked = true;
  const Value old = without_bookkeeping(stored), now = without_bookkeeping(later.read_back(updated));
  if (old == now || !leaves_its_output_alone(examination, call)) return std::nullopt;
  const std::string path = first_difference(old, now);
  Violation violation{.webhook = call.webhook.key, .path = path, .value = at_path(now, path)};
  violation.calls = {call_in(*updated, "an update that changes nothing of what is stored")};
  violation.shape = shape_of(path, now, violation.calls.front().result);
  violation.reason = path + " changes when what is stored is sent back without a change";
  return violation;
}

Judgement settles_when_stored(const Examination& examination) {
  if (examination.value.request.object["metadata"]["name"].text().empty())
    return not_applicable(
        "the webhook first sees the name of an object with a generateName when it is stored");
  return judged_by_updates(examination, [&](const FirstCall& call, LaterAnswers& answers) {
    if (auto violation = unsettled(examination, call, answers.is_asked))
      answers.violations.push_back(*std::move(violation));
  });
}

}  // namespace

extern constinit const Property kSettlesWhenStored = {
    .name = "settles-when-stored",
    .claim = "An update that changes nothing of a stored object changes nothing after the webhook either.",
    .is_cheap = false,
    .ask = settles_when_stored,
    .takes_any_kind = true,
    .symptom = "unstable",
    .explanation = {.example =
                        "The mark by which the webhook knows its own work is not in the definition: the "
                        "server drops it, and each update adds the port again.",
                    .matters = "Each write of a controller makes a new generation, and the next write.",
                    .fix = "Look for what the webhook adds, in a form that the server keeps."},
};

}  // namespace fixpoint::properties
