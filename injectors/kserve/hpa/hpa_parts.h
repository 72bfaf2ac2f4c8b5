#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/reconcile/reconciler.h"
#include "injectors/kserve/hpa/hpa_releases.h"

namespace fixpoint::injectors::kserve::hpa {

using document::Value;

/// A number of the component's spec as a 32-bit one, or nothing when it is absent.
std::optional<std::int64_t> number(const Value& spec, const char* member);

/// The metrics of the wanted autoscaler; nothing when reading them crashes the release (getHPAMetrics).
std::optional<std::vector<Value>> metrics(const Release& release, const Value& desired);

/// Whether two specs are the same to Kubernetes' semantic equality: empty lists are absent ones.
bool is_same_spec(const Value& a, const Value& b);

/// Whether an object says that its runtime is stopped.
bool is_stopped(const Value& object);

/// {metadata} of what is made for a component, with the InferenceService as its controller.
Value owned_metadata(const Value& desired);

/// Class keda: what is asked about the component's ScaledObject.
reconcile::Reconciled reconcile_scaled_object(const Release& release, const reconcile::Objects& stored,
                                              const Value& desired);

}  // namespace fixpoint::injectors::kserve::hpa
