#pragma once

#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

/// Gives the Pod what PodSecurity's level restricted asks for, by the Pod or by its containers. A Pod may
/// still break the level: by a volume, say.
void harden(document::Value& pod, runner::Choices& choices);

/// Gives every container that lacks one a request and a limit of cpu and memory, as a quota of them demands.
/// Limits that a container has stay, and bound the request.
void give_amounts(document::Value& pod, runner::Choices& choices);

}  // namespace fixpoint::generators
