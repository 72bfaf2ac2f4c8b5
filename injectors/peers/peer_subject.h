#pragma once

#include "harness/runner/subject.h"

namespace fixpoint::injectors::peers {

/// A configuration with one webhook for the creation of Pods, called again when needed.
runner::Subject peer_subject(const char* name, const char* configuration, const char* webhook);

}  // namespace fixpoint::injectors::peers
