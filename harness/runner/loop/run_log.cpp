#include "harness/runner/loop/run_log.h"

namespace fixpoint::runner {

RunLog::RunLog(const RunOptions& options, Listener& listener)
    : options_(options), listener_(listener), summary_(options.from.summary), seen_(options.from.seen) {
  summary_.acted_min = options.effort.acted_min;
  summary_.not_simulated = options.subjects.not_simulated;
  const auto name = [&](const auto& properties) {
    for (const auto* property : properties) summary_.properties[std::string(property->name)];
  };
  if (options.drawing.draws_cases) name(options.subjects.catalog.of_cases());
  if (options.drawing.draws_sequences) name(options.subjects.catalog.of_sequences());
  for (const std::string& subject : options.subjects.names) summary_.acted[subject];
}

}  // namespace fixpoint::runner
