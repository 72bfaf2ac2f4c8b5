#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// A webhook that does not work: what it did, and whole lines of what it wrote to its standard error.
struct NotWorking {
  document::Error error;
  std::string words = {};
};

/// Asks each program and URL behind the subjects a harmless request, the first example where there is one,
/// and two plain Pods if it does not answer. One that answers none of them, each time in the same way, does
/// not work: that is no finding. A late answer counts as an answer, and so does a denial.
std::optional<NotWorking> ask_first(std::span<const runner::Subject> subjects,
                                    const ExternalWebhooks& outside);

}  // namespace fixpoint::external
