#pragma once

#include <functional>
#include <set>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// One pass of structural reductions (runner::Reduce): fewer webhooks, faults, objects and plugins, a plainer
/// request, then ever less of the Pods. Offers only variants whose references hold.
void reduce(cases::Case value, const std::function<bool(const cases::Case&)>& take);

/// The same pass, which keeps these words or removes them with their parent: a Case in which a model is at
/// `s3://bucket/model` explains more than one in which it is at "".
std::function<void(cases::Case, const std::function<bool(const cases::Case&)>& take)> reduction_keeping(
    std::set<std::string> prepared_vocabulary);

}  // namespace fixpoint::generators
