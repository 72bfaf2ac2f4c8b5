#pragma once

#include <string>

#include "harness/cases/finding.h"

namespace fixpoint::runner {

/// Returns the sentence that a maintainer reads first, without its subject: a row of one table for the
/// symptom, the kind of change and the guard that was seen, filled in with values of the evidence alone.
std::string title_of(const cases::Finding& finding, const cases::Cause& cause);

/// Returns what a program said as it died in a call, "exit 1: TypeError: …"; empty if the finding is about
/// anything else.
std::string crash_of(const cases::Finding& finding);
/// Returns true if the finding is about an object that the webhook writes as a whole.
bool is_replaced_whole(const cases::Finding& finding);
/// Returns true if the server refuses an update because the webhook changes what must not change.
bool is_refused_update(const cases::Finding& finding);

/// Returns the line in which lists tell all problems of a webhook that have its word in their causes; empty
/// for a problem with a line of its own.
std::string line_of(const cases::Cause& cause);

/// Returns the rank of a problem among those of its severity; `grows` says that it grows with each call. What
/// no member of a chain shows alone and what one object does to all others comes first, then what grows, what
/// any Pod shows, what hardly any Pod has, and refusals by design.
int rank_of(const cases::Finding& finding, const cases::Cause& cause, bool grows);

}  // namespace fixpoint::runner
