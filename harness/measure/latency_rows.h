#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/measure/latency_figures.h"

namespace fixpoint::measure {

/// Every figure is measured with at least three calls, however slow they are.
inline constexpr std::uint64_t kCallsMin = 3, kCallsMax = 10'000'000;

/// The bounds of measuring one figure.
struct MeasuringBounds {
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

/// Returns the rows for each size of Pod: for every webhook of the subjects, calls with everything that the
/// API server does with the answer; then, for the chain, whole admissions through all members in one cluster.
/// A subject's only webhook has the subject's name; several have their own names. The members of a chain are
/// listed in the order of their calls. An error for a reconciler.
document::Result<std::vector<LatencyRow>> latency_rows(const LatencySubjects& subjects,
                                                       const external::ExternalWebhooks& outside,
                                                       const generators::FindSubjects& find_subjects,
                                                       const MeasuringBounds& bounds);

}  // namespace fixpoint::measure
