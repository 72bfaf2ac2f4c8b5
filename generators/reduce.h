#pragma once

#include <functional>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// One pass of structural reductions (runner::Reduce): fewer webhooks, faults, objects and plugins, a plainer request,
/// then ever less of the Pods. Offers only variants whose references hold.
void reduce(cases::Case value, const std::function<bool(const cases::Case&)>& take);

}  // namespace fixpoint::generators
