#include <array>

#include "harness/properties/properties.h"

namespace fixpoint::properties {

namespace {

constexpr std::array<Property, 11> kProperties{{
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
    {"idempotent", "A webhook called on its own output changes nothing, and its second patch is empty.",
     false, idempotent},
    {"preserves-others", "What a webhook does not own is still there after it, on the same element.", false,
     preserves_others},
    {"patch-well-formed",
     "A patch applies to the bytes that were sent, and every operation of it has an effect.", false,
     patch_well_formed},
    {"deterministic", "Equal requests get equal patches.", false, deterministic},
    {"answers", "A webhook answers every request: it neither crashes nor sends what cannot be used.", true,
     answers},
    {"probe-handed-over", "No container is made to run the probe command of another one with another image.",
     true, probe_handed_over},
    {"agent-can-become-ready", "A container that is added to probe for another has a probe that it can ask.",
     true, agent_can_become_ready},
}};

}  // namespace

std::span<const Property> all() { return kProperties; }

const Property* find(std::string_view name) {
  for (const Property& property : kProperties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

std::string_view word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

}  // namespace fixpoint::properties
