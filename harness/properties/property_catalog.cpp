#include <array>

#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

/// Processes can be started twice.
bool is_program(const Tested& tested) { return tested.is_program; }

constexpr auto kProperties = std::to_array<Property>({
    {"no-duplicate-names",
     "No keyed list of the final Pod holds a key more often than the request's Pod did.", true,
     no_duplicate_names},
    {"valid-spec",
     "If the Pod is valid before the webhooks, so are the result of every call and the final Pod.", true,
     valid_spec},
    {"converges", "After the mutation phase every webhook of the chain is a no-op on the final Pod.", true,
     converges},
    {"bounded-growth",
     "Called again and again, a webhook lets no list, string or map grow after its first call.", true,
     bounded_growth},
    {"idempotent", "A webhook called on its own output changes nothing.", false, idempotent},
    {"preserves-others", "What a webhook does not own is still there after it, on the same element.", false,
     preserves_others},
    {"patch-well-formed",
     "A patch applies to the bytes that were sent, and every operation of it has an effect.", false,
     patch_well_formed},
    {"deterministic", "Equal requests are changed equally.", false, deterministic},
    {"accepts-own-output", "A webhook does not refuse its own output.", false, accepts_own_output},
    {"reinvocation-valid",
     "Called again after a neighbour changed its output, a webhook leaves a Pod that the server takes.",
     false, reinvocation_valid},
    {"reinvocation-complete",
     "Called again after a neighbour, a webhook treats what came late as if it had been there at once.",
     false, reinvocation_complete},
    {"order-independent",
     "Every order of the chain gives the same Pod, and what is promised to be first or last is.", false,
     order_independent},
    {"preserves-order",
     "The user's containers, volumes, env and args keep their order, and $(NAME) points backwards.", false,
     preserves_order},
    {"absent-empty-present",
     "A list or map gets the same from a webhook whether it was absent, empty or had a stranger's element.",
     false, absent_empty_present},
    {"no-explicit-zeros", "A patch adds no value to the user's fields that their absence has already.", false,
     no_explicit_zeros},
    {"protocol", "Every answer is an AdmissionReview as its version has it, for removals too.", false,
     protocol},
    {"dry-run-equal", "A dry run gets the answer that the real request gets.", false, dry_run_equal},
    {"update-safe", "An update that leaves the spec alone stays legal after the webhook, finalizers too.",
     false, update_safe},
    {"covers-all-containers",
     "A native sidecar is treated like a container, and each kind of probe like the others.", false,
     covers_all_containers},
    {"request-context",
     "The result depends on the request's namespace, needs no name, and takes no look-alike for its own.",
     false, request_context},
    {"text-survives", "Quotes, backslashes, newlines and template syntax in values come through.", false,
     text_survives},
    {"numbers-survive", "Integers beyond 2^53 and quantities come through unchanged.", false,
     numbers_survive},
    {"aggregate-consistent",
     "An injected value that lists or counts parts of the Pod is right for the final Pod.", false,
     aggregate_consistent},
    {"within-budget", "A call takes a second at most, and its patch is as small as its change.", false,
     within_budget},
    {"answers", "A webhook answers every request: it neither crashes nor sends what cannot be used.", true,
     answers},
    {"replicas-agree", "Two processes of one webhook answer equal requests equally.", false, replicas_agree,
     is_program},
    {"independent-of-history", "The answer to a request does not depend on the requests before it.", false,
     independent_of_history, is_program},
});

}  // namespace

std::span<const Property> all() { return kProperties; }

const Property* find(std::string_view name) {
  for (const Property& property : kProperties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

std::string_view word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

const std::vector<Observation>& observations_of(const Judgement& judgement) {
  static const std::vector<Observation> kNone;
  if (const auto* held = std::get_if<Held>(&judgement)) return held->observations;
  const auto* violated = std::get_if<Violated>(&judgement);
  return violated == nullptr ? kNone : violated->observations;
}

}  // namespace fixpoint::properties
