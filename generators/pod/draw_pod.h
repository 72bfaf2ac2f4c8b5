#pragma once

#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// Draws one to three containers, the values that make the webhooks of the chain act (or nearly act), and a
/// few features of the catalog. Only some kinds of features are switched on in a Pod, so that Pods stay small
/// and differ much.
void draw_into(PodBuilder& builder);

/// Draws features alone into a Pod that has a container.
void draw_features(PodBuilder& builder);

/// Returns the Pod as a client sends it.
Value pod_of(const PodBuilder& builder);

}  // namespace fixpoint::generators
