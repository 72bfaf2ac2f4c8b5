#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/reconcile/reconciler.h"
#include "injectors/kserve/hpa/hpa_releases.h"

namespace fixpoint::injectors::kserve::hpa {

using document::Value;

/// Returns a number of the component's spec as a 32-bit integer, or nothing if it is absent.
std::optional<std::int64_t> number(const Value& spec, const char* member);

/// Returns the metrics of the wanted autoscaler; nothing if reading them crashes the release (getHPAMetrics).
std::optional<std::vector<Value>> metrics(const Release& release, const Value& desired);

/// Returns true if two specs are equal by Kubernetes' semantic equality: empty lists equal absent ones.
bool is_same_spec(const Value& a, const Value& b);

/// Returns true if the annotation of an object stops its runtime.
bool is_stopped(const Value& object);

/// Returns {metadata} for an object of a component, with the InferenceService as its controller.
Value owned_metadata(const Value& desired);

/// Handles class keda: returns the requests for the component's ScaledObject.
reconcile::Reconciled reconcile_scaled_object(const Release& release, const reconcile::Objects& stored,
                                              const Value& desired);

}  // namespace fixpoint::injectors::kserve::hpa
