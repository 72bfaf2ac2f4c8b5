#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/measure/google_benchmark.h"
#include "harness/measure/latency_figures.h"

namespace fixpoint::measure {

/// How figures are measured, and the bounds of measuring one.
struct MeasuringBounds {
  std::shared_ptr<GoogleBenchmark> benchmark;  ///< keeps what it measured
  std::uint64_t calls = 2000;
  double seconds = 0;             ///< 0: no bound
  std::function<bool()> is_over;  ///< checked between calls; measuring ends with an error if it returns true
  std::function<void(const document::Error&)> note;  ///< receives remarks for the user
};

/// A figure to be measured: its webhook or chain and its Pod, and the function that measures it.
struct LatencyRow {
  BenchFigure of;
  std::function<document::Result<BenchFigure>()> measure;
};

/// The subjects that are measured.
struct LatencySubjects {
  std::vector<std::string> names = {};  ///< empty: the newest release of every injector
  bool has_chain = false;  ///< also all subjects as one chain; without names a short default chain
};

/// Returns the rows for each Pod, which is an example of the subjects or, without any, of one of three sizes:
/// for every webhook of the subjects, calls with everything that the API server does with the answer; then,
/// for the chain, whole admissions through all members in one cluster. A subject's only webhook has the
/// subject's name; several have their own names. The members of a chain are listed in the order of their
/// calls. An error for a reconciler.
document::Result<std::vector<LatencyRow>> latency_rows(const LatencySubjects& subjects,
                                                       const external::ExternalWebhooks& outside,
                                                       const generators::FindSubjects& find_subjects,
                                                       const MeasuringBounds& bounds);

}  // namespace fixpoint::measure
