#pragma once

#include <functional>

#include "harness/properties/variants.h"

namespace fixpoint::properties {

/// One webhook f that is called again after a neighbour g has changed its Pod: f(g(f(x))), compared with
/// f(g(x)).
struct Reinvocation {
  const apiserver::ConfiguredWebhook& webhook;
  const Value& first;                  ///< f(x)
  const Value& by_neighbour;           ///< g(f(x))
  const apiserver::CallResult& again;  ///< f(g(f(x)))
  const Value& neighbour_alone;        ///< g(x)
  const apiserver::CallResult& late;   ///< f(g(x))
};

/// The call that shows what the webhook makes of its own output after the neighbour.
inline OwnCall after_neighbour(const Reinvocation& pair) {
  return {"a second call, after a neighbour changed its output", pair.webhook.key, pair.by_neighbour,
          pair.again};
}

/// Calls `visit` for every pair of webhooks of the Case that were called and that the server would call
/// again: f with reinvocationPolicy IfNeeded, g with an effect. Pairs in which a call fails are left out,
/// except for the last call of f. Returns true if there was a pair.
bool for_each_reinvocation(const Examination& examination,
                           const std::function<void(const Reinvocation&)>& visit);

}  // namespace fixpoint::properties
