#include "harness/campaign/run_headline.h"

#include "harness/document/printable.h"
#include "reports/text.h"

namespace fixpoint::campaign {

std::string headline(const FuzzOptions& options, const runner::RunOptions& run, const KnownFindings& stored) {
  std::string text = options.configuration.empty() ? "" : document::printable(options.configuration) + ": ";
  text += "seed " + std::to_string(options.seed);
  if (options.shard) {
    text += ", shard " + std::to_string(options.shard->index) + "/" + std::to_string(options.shard->count) +
            ": seed " + std::to_string(run.drawing.seed);
  }
  if (run.from.summary.cases > 0) {
    text += ", goes on after " + std::to_string(run.from.summary.cases) + " Cases with " +
            std::to_string(run.from.summary.findings.size()) + " findings";
  }
  if (!stored.of_last_run.empty())
    text += ", retries " + reports::plural(stored.of_last_run.size(), "finding", "findings") +
            " of the last run in " + options.out;
  return text + "\n";
}

}  // namespace fixpoint::campaign
