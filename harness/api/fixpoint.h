#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// fixpoint within a C++ program or test: it calls a webhook in the process as the API server would call it.
/// This header needs the standard library alone.
///
///     const auto report = fixpoint::check(handler, configuration, {.cases = 2000});
///     EXPECT_TRUE(report.ok()) << report.text;
namespace fixpoint {

/// A mutating admission webhook: takes the body of an AdmissionReview request and returns the body of its
/// answer, both JSON. It must be a function of its argument alone; with `jobs` above 1 it is called from
/// several threads. An exception counts as a failed call.
using ReviewHandler = std::function<std::string(const std::string& review)>;

struct CheckOptions {
  std::uint64_t seed = 1;               ///< the same seed gives the same report
  std::uint64_t cases = 2000;           ///< the number of Cases to draw, unless the time is over before
  double seconds_max = 0;               ///< 0: no bound
  int jobs = 1;                         ///< threads; the report does not depend on it
  std::vector<std::string> peers = {};  ///< names of neighbours; if empty, the bundled ones
};

/// A property that the webhook violates, with the smallest Case that shows it.
struct CheckFinding {
  std::string property = {};
  std::string severity = {};  ///< error or warning
  std::string verdict = {};   ///< growing, oscillating, …; empty for a property that is not about repetition
  std::string webhook = {};   ///< <configuration>/<webhook>
  std::string path = {};      ///< spec.volumes[3].name
  std::string because = {};   ///< one sentence
  std::string fingerprint = {};  ///< equal for the same bug
  std::string text = {};         ///< several lines for a terminal, which no text from a Pod can control
  std::string document = {};     ///< the Finding as canonical JSON, as `fixpoint replay` reads it
};

struct CheckReport {
  std::vector<CheckFinding> findings = {};
  std::vector<std::string> failed_gates = {};  ///< failed vacuity checks of a run of 1,000 Cases or more
  std::uint64_t cases = 0;                     ///< the number of examined Cases
  std::uint64_t acted = 0;                     ///< the number of Cases in which the webhook acted
  std::string problem = {};                    ///< why nothing was checked, such as an invalid configuration
  std::string text = {};                       ///< the whole report, ready to print
  bool ok() const { return problem.empty() && findings.empty() && failed_gates.empty() && cases > 0; }
};

/// Draws Cases with the webhooks of a MutatingWebhookConfiguration, all answered by `handler`, among
/// neighbours; runs them through the API server's mutating admission, and checks every property. The
/// configuration is the real object as YAML or JSON; its clientConfig is ignored. Nothing is written to disk.
CheckReport check(const ReviewHandler& handler, const std::string& configuration,
                  const CheckOptions& options = {});

/// Returns the version of fixpoint, such as "0.1.0".
std::string version();

}  // namespace fixpoint
