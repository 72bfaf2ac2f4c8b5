#pragma once

#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// Draws one to three containers, what makes the webhooks of the chain act (or nearly), and a
/// few features of the catalog. A run of decisions switches on only some of them, so that Pods stay small and
/// differ much.
void draw_into(PodBuilder& builder);

/// Draws features alone into a Pod that has a container.
void draw_features(PodBuilder& builder);

/// Returns the Pod as a client sends it.
Value pod_of(const PodBuilder& builder);

}  // namespace fixpoint::generators
