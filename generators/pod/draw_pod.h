#pragma once

#include "generators/pod/draft.h"

namespace fixpoint::generators {

/// Draws into the draft: one to three containers, what makes the webhooks of the chain act (or nearly), and a
/// few features of the catalog. A run of decisions switches on only some of them, so that Pods stay small and
/// differ much.
void draw_into(Draft& draft);

/// The features alone, into a draft that has a container.
void draw_features(Draft& draft);

/// The draft as a client sends it.
Value pod_of(const Draft& draft);

}  // namespace fixpoint::generators
