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

/// Returns the first URL behind the subjects that answers one connection at a time: while one is open, and
/// waits for its next request, it does not answer another one within a second. To call it over two would be
/// to wait for its timeout. Nothing if a run of so many threads calls over one connection anyway, or if the
/// command line states how many.
std::optional<std::string> server_of_one_connection(std::span<const runner::Subject> subjects,
                                                    const ExternalWebhooks& outside, int jobs);

}  // namespace fixpoint::external
