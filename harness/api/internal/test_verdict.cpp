#include "harness/api/test_verdict.h"

#include <algorithm>

namespace fixpoint {

namespace {

bool counts(const CheckFinding& finding, const std::vector<std::string>& properties,
            const TestOptions& options) {
  const bool is_asked = properties.empty() ||
                        std::find(properties.begin(), properties.end(), finding.property) != properties.end();
  const bool is_severe = options.fails_on_warnings || finding.severity == "error";
  return is_asked && is_severe && !options.accepted.covers(finding);
}

}  // namespace

TestVerdict test_verdict(const Webhook& webhook, const std::vector<std::string>& properties,
                         const TestOptions& options) {
  const CheckReport& report = webhook.report(options.check);
  if (!report.problem.empty()) return {false, "which cannot be tested: " + report.problem};
  const std::string run =
      std::to_string(report.cases) + " Cases of seed " + std::to_string(options.check.seed);
  const std::string acted = "acted in " + std::to_string(report.acted) + " of " + run;
  std::string texts;
  std::size_t count = 0;
  for (const CheckFinding& finding : report.findings) {
    if (!counts(finding, properties, options)) continue;
    ++count;
    texts += "\n" + finding.text;
  }
  if (count > 0)
    return {false, "which has " + std::to_string(count) + (count == 1 ? " finding in " : " findings in ") +
                       run + ":\n" + texts};
  if (report.acted == 0 || 100 * report.acted < options.acted_min * report.cases)
    return {false, "which was not tested: it " + acted +
                       "; give the webhook its configuration, from which fixpoint learns what makes it act"};
  for (const std::string& property : properties) {
    if (!report.decided.contains(property))
      return {false, "which was not tested: " + property + " was decided in none of " + run};
  }
  if (properties.empty() && !report.failed_gates.empty())
    return {false, "which was not tested: it is not true that " + report.failed_gates.front()};
  return {true, "which " + acted};
}

std::vector<std::string> properties_of_settling() { return {"idempotent", "converges", "bounded-growth"}; }

bool is_decided(const Webhook& webhook, const std::string& property, const CheckOptions& options) {
  return webhook.report(options).decided.contains(property);
}

}  // namespace fixpoint
