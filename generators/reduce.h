#pragma once

#include <functional>
#include <set>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// Runs one pass of structural reductions (runner::Reduce): fewer webhooks, faults, objects and plugins, a
/// simpler request, then smaller Pods. Passes only variants to `take` in which no reference dangles.
void reduce(cases::Case value, const std::function<bool(const cases::Case&)>& take);

/// Returns the same pass, except that it keeps the given values of a vocabulary whole or removes them with
/// their parent: a Case with a model at `s3://bucket/model` explains more than one with a model at "".
std::function<void(cases::Case, const std::function<bool(const cases::Case&)>& take)> reduction_keeping(
    std::set<std::string> prepared_vocabulary);

}  // namespace fixpoint::generators
