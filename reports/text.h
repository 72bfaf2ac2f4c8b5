#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/cases/outcome.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::reports {

/// Returns a count with its noun: "1 Case", "2 Cases".
std::string plural(std::size_t count, const char* one, const char* more);
/// Returns the text; if it has more than `columns` characters, it is cut to these, and ends with "…".
std::string cut_columns(std::string text, std::size_t columns);
/// Returns the name of a webhook <configuration>/<webhook> for readers: that of its injector, if it has one.
std::string short_name(const cases::Case& value, const std::string& webhook);
/// Returns a percentage: "12.5%"; "0.0%" if the whole is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);
/// Returns the number with two decimals, as reports show measured figures.
document::Value hundredths(double number);

/// Returns a finding for readers: the property, the trace of the calls, the size of the smallest Case, and
/// how to replay it. `replay` is the whole command.
std::string finding_text(const cases::Finding& finding, const std::string& replay);

/// Returns the number of members of a Case's chain: "2 webhooks", "1 policy", "1 webhook, 1 policy".
std::string chain_size_of(const cases::Case& value);
/// Returns the kind of the member at fault: "policy" or "webhook".
const char* kind_of_subject(const cases::Finding& finding);

/// Returns only the trace of its calls.
std::string calls_text(const cases::Finding& finding);
/// Returns the line of the expression that failed with a caret below it; empty if there is none.
std::string excerpt_text(const cases::Finding& finding);

/// Returns, in one line, a finding in which the subject has no part.
std::string note_text(const cases::Finding& note);

/// Returns the observations, which are facts about the webhooks and not defects, one line each; empty if
/// there are none.
std::string observations_text(const runner::RunSummary& summary);

/// Returns lines that explain how to get a verdict, if a run has none.
std::string advice_without_verdict(const runner::RunSummary& summary);

/// Returns a line for each kind of objects, if the run is about several: its Cases, and how often a subject
/// acted.
std::string kinds_text(const runner::RunSummary& summary);

/// Returns the closing lines of a run: the drawn Cases, the checks and results of each property (of each
/// kind, if they are several), the vacuity checks, and why the run ended.
std::string summary_text(const runner::RunSummary& summary);

}  // namespace fixpoint::reports
