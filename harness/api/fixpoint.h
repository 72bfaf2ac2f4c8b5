#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// fixpoint within a C++ program or test: an in-process webhook is called as the API server would call it.
/// This header needs the standard library alone.
///
///     const auto report = fixpoint::check(handler, configuration, {.cases = 2000});
///     EXPECT_TRUE(report.ok()) << report.text;
namespace fixpoint {

/// A mutating admission webhook: the body of an AdmissionReview request in, the body of its answer out, both
/// JSON. It must be a function of its argument alone; with `jobs` above 1 it is called from several threads.
/// An exception is a call that failed.
using ReviewHandler = std::function<std::string(const std::string& review)>;

struct CheckOptions {
  std::uint64_t seed = 1;               ///< the same seed gives the same report
  std::uint64_t cases = 2000;           ///< how many Cases are drawn, unless the time is over before
  double seconds_max = 0;               ///< 0: no bound
  int jobs = 1;                         ///< threads; the report does not depend on it
  std::vector<std::string> peers = {};  ///< who else is in the chain, by name; none: the bundled peers
};

/// A property that the webhook breaks, with the smallest Case that shows it.
struct CheckFinding {
  std::string property = {};
  std::string severity = {};     ///< error or warning
  std::string verdict = {};      ///< growing, oscillating, …; empty where repetition is not the matter
  std::string webhook = {};      ///< <configuration>/<webhook>
  std::string path = {};         ///< spec.volumes[3].name
  std::string because = {};      ///< one sentence
  std::string fingerprint = {};  ///< the same bug has the same one
  std::string text = {};         ///< for a terminal, several lines; nothing from a Pod can steer it
  std::string document = {};     ///< the Finding as canonical JSON, as `fixpoint replay` reads it
};

struct CheckReport {
  std::vector<CheckFinding> findings = {};
  std::vector<std::string> failed_gates = {};  ///< failed vacuity checks of a run of 1,000 Cases or more
  std::uint64_t cases = 0;                     ///< how many were examined
  std::uint64_t acted = 0;   ///< in how many of them the webhook changed the object or refused it on purpose
  std::string problem = {};  ///< why nothing could be checked: a configuration that cannot be
  std::string text = {};     ///< all of it, ready to print
  bool ok() const { return problem.empty() && findings.empty() && failed_gates.empty() && cases > 0; }
};

/// Draws Cases in which the webhooks of a MutatingWebhookConfiguration stand among peers, all of them
/// answered by `handler`, runs them through the API server's mutating admission and checks every property.
/// The configuration is the real object as YAML or JSON; its clientConfig is not looked at. Nothing is
/// written to disk.
CheckReport check(const ReviewHandler& handler, const std::string& configuration,
                  const CheckOptions& options = {});

/// "0.1.0"
std::string version();

}  // namespace fixpoint
