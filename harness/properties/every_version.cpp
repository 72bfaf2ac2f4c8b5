#include <algorithm>

#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

namespace {

Value without_version(Value object) {
  object.remove("apiVersion");
  return without_bookkeeping(std::move(object));
}

/// An object as it is stored with the webhook, and without it.
struct Made {
  Value with, without;
  bool is_called = false;
};

std::optional<Made> made(const LaterRequests& later, const cases::Request& request) {
  const auto with = later.with(request), without = later.without(request);
  if (!with || !without || !was_taken(*with) || !was_taken(*without)) return std::nullopt;
  if (!with->calls.empty() && !was_asked(*with)) return std::nullopt;
  return Made{without_version(later.read_back(with)), without_version(later.read_back(without)),
              !with->calls.empty()};
}

std::optional<Violation> difference(const FirstCall& call, const cases::Kind& kind, const Made& here,
                                    const cases::Kind& other, const Made& there) {
  if (here.with == there.with || !(here.without == there.without)) return std::nullopt;
  const std::string path = first_difference(here.with, there.with);
  Violation violation{.webhook = call.webhook.key, .path = path, .value = at_path(here.with, path)};
  violation.shape = shape_of(path, here.with, call.event.result);
  violation.reason = path + " is another one if the same object is created as " + other.api_version() +
                     " instead of " + kind.api_version() +
                     (there.is_called ? "" : ": the webhook is not asked then");
  return violation;
}

Judgement every_version(const Examination& examination) {
  const cases::Case& value = examination.value;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (value.request.is_update() || !kind.is_custom()) return not_applicable("no custom resource is created");
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    const LaterRequests later(examination, call.webhook);
    const auto here = made(later, value.request);
    if (!here) continue;
    for (const cases::Kind& other : cases::served_kinds(*kind.definition)) {
      if (other.version == kind.version) continue;
      cases::Request request = value.request;
      request.object.set("apiVersion", other.api_version());
      const auto there = made(later, request);
      if (!there) continue;
      is_asked = true;
      if (auto violation = difference(call, kind, *here, other, *there))
        violations.push_back(*std::move(violation));
    }
  }
  if (!is_asked) return not_applicable("no other version takes the object");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kEveryVersion = {
    .name = "every-version",
    .claim = "An object is stored alike in whichever of its served versions it is created.",
    .is_cheap = false,
    .ask = every_version,
    .takes_any_kind = true,
    .explanation = {.example =
                        "The rule names v1 with matchPolicy Exact: objects sent as v1beta1 get nothing.",
                    .matters = "The same manifest means another thing with an older apiVersion.",
                    .fix = "Leave matchPolicy at Equivalent, and handle each version that the rules name."},
};

}  // namespace fixpoint::properties
