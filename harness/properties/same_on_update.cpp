#include <string>
#include <vector>

#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using document::Member;
using document::Name;

/// The most members of one object that are asked about.
constexpr std::size_t kMembersMax = 16;

/// A member of an object that its author may add later: a label, an annotation, a member of the spec.
struct Added {
  std::vector<const char*> around;
  std::string name;

  std::string path() const {
    std::string text;
    for (const char* member : around) text = member_path(text, member);
    return member_path(text, name);
  }
  Value without(Value object) const {
    Value* owner = &object;
    for (const char* member : around) owner = &owner->edit(Name(member));
    owner->remove(Name(name));
    return object;
  }
  /// Returns the stored object with the member as `object` has it.
  Value put(Value stored, const Value& object) const {
    Value* owner = &stored;
    Value from = object;
    for (const char* member : around) {
      owner = &owner->edit(Name(member));
      from = Value(from[Name(member)]);
    }
    owner->set(Name(name), from[Name(name)]);
    return stored;
  }
};

std::vector<Added> members_of(const Value& object) {
  const std::vector<std::vector<const char*>> kPlaces{
      {"metadata", "labels"}, {"metadata", "annotations"}, {"spec"}};
  std::vector<Added> members;
  for (const auto& around : kPlaces) {
    Value owner = object;
    for (const char* member : around) owner = Value(owner[Name(member)]);
    for (const Member& member : owner.members())
      if (members.size() < kMembersMax) members.push_back({around, std::string(member.key.text())});
  }
  return members;
}

/// Asks what one webhook does for a member at creation, and what if an update brings it.
class MemberQuestion {
 public:
  MemberQuestion(const Examination& examination, const FirstCall& call)
      : examination_(examination), call_(call), later_(examination, call.webhook) {}

  bool is_asked = false;

  /// Returns true if the webhook acts for the member at creation and leaves it alone in an update.
  bool is_left_alone(const Added& member) {
    const Value& whole = call_.event.before;
    const Value less = member.without(whole);
    if (!is_storable(examination_.value, less)) return false;
    const auto silent = call_afresh(examination_, call_.webhook, less);
    if (!went_well(silent) || !(silent.after == less)) return false;
    cases::Request creation = examination_.value.request;
    creation.object = less;
    const Value stored = later_.read_back(later_.without(creation));
    if (stored.is_null()) return false;
    const auto updated = later_.with(later_.update(stored, member.put(stored, whole)));
    if (!updated || !was_taken(*updated) || (!updated->calls.empty() && !was_asked(*updated))) return false;
    is_asked = true;
    return updated->calls.empty() || updated->calls.front().before == updated->calls.front().result.after;
  }

 private:
  const Examination& examination_;
  const FirstCall& call_;
  const LaterRequests later_;
};

Judgement same_on_update(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (value.request.is_update()) return not_applicable("the request is an update itself");
  if (cases::kind_of(value.request, value.cluster).is_pod()) return not_applicable("the object is a Pod");
  std::vector<Observation> observations;
  bool is_asked = false;
  for (const FirstCall& call : effective_calls(examination)) {
    if (cases::is_neighbour(value, call.webhook.configuration)) continue;
    MemberQuestion question(examination, call);
    for (const Added& member : members_of(call.event.before)) {
      if (!question.is_left_alone(member)) continue;
      observations.push_back({.kind = "created-only",
                              .webhook = call.webhook.key,
                              .path = member.path(),
                              .reason = "acts for " + member.path() +
                                        " when an object is created, and not when an update adds it"});
    }
    is_asked = is_asked || question.is_asked;
  }
  if (!is_asked) return not_applicable("no member alone made the webhook act");
  return judged({}, std::move(observations));
}

}  // namespace

extern constinit const Property kSameOnUpdate = {
    .name = "same-on-update",
    .claim = "What a member of an object asks for at its creation is done when an update adds the member.",
    .is_cheap = false,
    .ask = same_on_update,
    .takes_any_kind = true,
    .explanation = {.example =
                        "A Service that is made a LoadBalancer later gets no address pool: the rule is for "
                        "CREATE alone.",
                    .matters = "The same manifest means another thing when the object was there before.",
                    .fix = "Register for UPDATE, too, or refuse the member there."},
};

}  // namespace fixpoint::properties
