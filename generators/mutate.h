#pragma once

#include "generators/draw.h"

namespace fixpoint::generators {

/// Returns a Case near this one, with a few changes to its Pods, its chain, its cluster or its faults. It
/// reads back if the given one did. Its Pods may be nonsense, but they remain JSON objects.
Case mutate(Case value, Choices& choices, const DrawContext& draw_context);

/// Returns the first Case with parts of the second: its Pod, pieces of it, its webhooks, cluster or faults.
Case crossover(Case value, const Case& other, Choices& choices);

}  // namespace fixpoint::generators
