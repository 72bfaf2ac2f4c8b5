#pragma once

#include <string>

#include "harness/document/value.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// How many lines a panel has; those after them stand in panels of their own.
inline constexpr std::size_t kSeriesMax = 9;

/// A section of a page: a panel for each size of Pod, in which each injector is a numbered line from p50 to
/// p99, calls apart from whole admissions; then everything as a table. The panels of calls share one scale,
/// and those of admissions; an injector has one number, colour and dashes in all of its panels. Of what was
/// measured twice the later figures are drawn. The figures go into the page's data; empty without latencies.
std::string latency_section(const RunRecord& record, document::Value& data);

}  // namespace fixpoint::reports
