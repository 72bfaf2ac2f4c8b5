#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/cases/outcome.h"
#include "harness/runner/run.h"

namespace fixpoint::reports {

/// "a, b"
std::string joined(const std::vector<std::string>& names);
/// "1 Case", "2 Cases".
std::string plural(std::size_t count, const char* one, const char* more);
/// "12.5%"; 0.0% of nothing.
std::string percent(std::uint64_t part, std::uint64_t whole);
/// With two decimals, as figures that were measured are reported.
document::Value hundredths(double number);

/// A finding as a person reads it: the property, the trace of the calls, the size of the smallest Case, how
/// to replay it. `replay` is the whole command.
std::string finding_text(const cases::Finding& finding, const std::string& replay);

/// Returns the trace of its calls alone.
std::string calls_text(const cases::Finding& finding);

/// A finding that is not the subject's doing, in one line.
std::string note_text(const cases::Finding& note);

/// Returns the observations, which are facts about the webhooks and no defects, a line each; empty if there
/// are none.
std::string observations_text(const runner::RunSummary& summary);

/// Returns lines that explain how to get a verdict if a run has none.
std::string advice_without_verdict(const runner::RunSummary& summary);

/// Returns the closing lines of a run: the drawn Cases, the checks and results of each property, the gates,
/// the reason of its end.
std::string summary_text(const runner::RunSummary& summary);

}  // namespace fixpoint::reports
