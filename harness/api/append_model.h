#pragma once

#include <string>

#include "harness/api/fixpoint.h"

namespace fixpoint {

/// Appends the container `own` to the Pod: again in every call, or once if it is guarded.
std::string append_own(const std::string& pod, bool is_guarded);

/// The webhooks that do so; all tests share what is learned of them.
const Webhook& unguarded();
const Webhook& guarded();

}  // namespace fixpoint
