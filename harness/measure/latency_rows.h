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

/// A figure rests on at least three calls, however slow they are.
inline constexpr std::uint64_t kCallsMin = 3, kCallsMax = 10'000'000;

/// How long a figure may be measured.
struct MeasuringBounds {
  std::uint64_t calls = 2000;
  double seconds = 0;             ///< 0: no bound
  std::function<bool()> is_over;  ///< asked between calls; when it holds, measuring ends with an error
  std::function<void(const document::Error&)> note;  ///< hears what the user should know
};

/// A figure to be measured: of what, and how.
struct LatencyRow {
  BenchFigure of;
  std::function<document::Result<BenchFigure>()> measure;
};

/// Who is measured.
struct LatencySubjects {
  std::vector<std::string> names = {};  ///< empty: the newest of every injector
  bool has_chain = false;               ///< also all of them as one chain; of no names a short default chain
};

/// Rows for each size of Pod: for every webhook of the subjects, calls with all that the API server does with
/// the answer; then for the chain whole admissions through all its members in one cluster. The only webhook
/// of a subject has the subject's name, of several each has its own; the members of the chain are named in
/// the order of their calls. An error for a reconciler.
document::Result<std::vector<LatencyRow>> latency_rows(const LatencySubjects& subjects,
                                                       const external::ExternalWebhooks& outside,
                                                       const generators::FindSubjects& find_subjects,
                                                       const MeasuringBounds& bounds);

}  // namespace fixpoint::measure
