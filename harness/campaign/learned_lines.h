#pragma once

#include <string>

#include "harness/runner/learning/subject.h"

namespace fixpoint::campaign {

/// Says what was learned of a subject's programs and from where, one line for each key of a trigger:
/// `learned: annotation logs.acme.io/inject = true | false, from app.py:12`. At most three lines unless
/// `all`; empty for a subject without a text.
std::string learned_lines(const runner::Subject& subject, bool all);

/// Says which keys the run of a subject without a verdict has tried, and what would help.
std::string tried_lines(const runner::Subject& subject);

}  // namespace fixpoint::campaign
