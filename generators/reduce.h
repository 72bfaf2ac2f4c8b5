#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::generators {

/// Runs one pass of structural reductions (runner::Reduce): fewer webhooks, faults, objects and plugins, a
/// simpler request, then smaller Pods. Passes only variants to `take` in which no reference dangles.
void reduce(cases::Case value, const std::function<bool(const cases::Case&)>& take);

/// The parts of a Case that a reduction leaves alone.
struct Kept {
  /// Values of a vocabulary stay whole, or go with their parent: a Case with a model at `s3://bucket/model`
  /// explains more than one with a model at "".
  std::set<std::string> values = {};
  std::vector<document::Value> objects = {};  ///< of a chart: without them the webhook is another one
};
/// Returns the same pass, except for what is kept.
std::function<void(cases::Case, const std::function<bool(const cases::Case&)>& take)> reduction_keeping(
    Kept kept);

}  // namespace fixpoint::generators
