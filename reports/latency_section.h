#pragma once

#include <string>

#include "harness/document/value.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// The limit on the lines in a panel; further lines are in other panels.
inline constexpr std::size_t kSeriesMax = 9;

/// Returns a section of a page: a panel for each size of Pod, in which each injector is a numbered line from
/// p50 to p99, with single calls and whole admissions apart; then a table of all figures. The panels of calls
/// share one scale, and so do those of admissions. An injector has the same number, colour and dashes in all
/// of its panels. If something was measured twice, the later figures are drawn. Adds the figures to the
/// page's data. Empty if there are no latencies.
std::string latency_section(const RunRecord& record, document::Value& data);

}  // namespace fixpoint::reports
