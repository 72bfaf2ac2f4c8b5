#pragma once

#include "generators/draw.h"

namespace fixpoint::generators {

/// Another Case near this one: a few changes to parts of its Pods, its chain, its cluster, its faults. It
/// reads back when the given one did. Pods may lose their sense, but stay JSON objects.
Case mutate(Case value, Choices& choices, const DrawContext& draw_context);

/// The first Case with parts of the second: its Pod, pieces of it, its webhooks, its cluster, its faults.
Case crossover(Case value, const Case& other, Choices& choices);

}  // namespace fixpoint::generators
