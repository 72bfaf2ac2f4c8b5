#pragma once

#include "harness/runner/learning/subject.h"

namespace fixpoint::injectors::peers {

/// Returns a configuration with one webhook for the creation of Pods, with reinvocationPolicy IfNeeded.
runner::Subject peer_subject(const char* name, const char* configuration, const char* webhook);

}  // namespace fixpoint::injectors::peers
