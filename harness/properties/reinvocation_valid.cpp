#include <set>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/reinvocation.h"
#include "harness/properties/validity.h"

namespace fixpoint::properties {

namespace {

Violation failed(const Reinvocation& pair) {
  Violation violation{.webhook = pair.webhook.key, .path = "allowed", .symptom = "accepts-own-output"};
  violation.shape = "second-call:" + std::string(apiserver::word(pair.again.error));
  violation.value = pair.again.problem;
  violation.reason = "a call fails or refuses when a neighbour had changed the webhook's own output";
  violation.calls = {after_neighbour(pair)};
  return violation;
}

using Identities = std::multiset<std::string>;

Identities identities_of(const Examination& examination, const Value& pod) {
  Identities identities;
  for (const auto& error : errors_of(examination, pod)) identities.insert(identity_of(error, pod));
  return identities;
}

/// Removes one occurrence of the identity; returns true if there was one.
bool take(Identities& identities, const std::string& identity) {
  const auto found = identities.find(identity);
  if (found == identities.end()) return false;
  identities.erase(found);
  return true;
}

/// The errors of f(g(f(x))) that neither the neighbour's Pod nor f(g(x)) has.
void ask(const Examination& examination, const Reinvocation& pair, std::vector<Violation>& violations) {
  if (!went_well(pair.again)) return violations.push_back(failed(pair));
  const Value& pod = pair.again.after;
  if (pod.same(pair.by_neighbour)) return;
  const auto errors = errors_of(examination, pod);
  if (errors.empty()) return;
  auto by_neighbour = identities_of(examination, pair.by_neighbour),
       when_late = identities_of(examination, pair.late.after);
  for (const auto& error : errors) {
    const std::string identity = identity_of(error, pod);
    if (take(by_neighbour, identity) || take(when_late, identity)) continue;
    Violation violation{.webhook = pair.webhook.key,
                        .path = path_of(error),
                        .value = error.type,
                        .symptom = symptom_of(error)};
    violation.shape = shape_of(error.field, pod, pair.again) + ":" + error.type;
    violation.reason = violation.path + " is refused after a second run on its own Pod: " +
                       (error.message.empty() ? error.type : error.message);
    violation.calls = {after_neighbour(pair)};
    for (Violation& one : located(examination, pair.by_neighbour, pair.again, error, std::move(violation)))
      violations.push_back(std::move(one));
  }
}

Judgement reinvocation_valid(const Examination& examination) {
  std::vector<Violation> violations;
  const bool asked = for_each_reinvocation(
      examination, [&](const Reinvocation& pair) { ask(examination, pair, violations); });
  if (!asked) return not_reached("no webhook came back after a neighbour");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kReinvocationValid = {
    .name = "reinvocation-valid",
    .claim =
        "Called again after a neighbour changed its output, a webhook leaves a Pod that the server takes.",
    .is_cheap = false,
    .ask = reinvocation_valid,
    .takes_any_kind = true,
    .symptom = "invalid",
    .explanation =
        {.example = "A neighbour put its container in front; the guard looks at index 0 and adds again.",
         .matters =
             "Only in clusters with that neighbour Pods are refused, and the message names your elements.",
         .fix = "Find your elements by name wherever they stand."},
};

}  // namespace fixpoint::properties
