#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// fixpoint within a C++ program or test: it calls a webhook in the process as the API server would call it.
/// This header needs the standard library alone.
///
///     const auto report = fixpoint::check(handler, configuration, {.cases = 2000});
///     EXPECT_TRUE(report.ok()) << report.text;
namespace fixpoint {

/// A mutating admission webhook: takes the body of an AdmissionReview request and returns the body of its
/// answer, both JSON. It must be a function of its argument alone; with `jobs` above 1 it is called from
/// several threads. An exception counts as a failed call. object_handler.h makes one of a function from
/// object to object.
using ReviewHandler = std::function<std::string(const std::string& review)>;

struct CheckOptions {
  std::uint64_t seed = 1;               ///< the same seed gives the same report
  std::uint64_t cases = 2000;           ///< the number of Cases to draw, unless the time is over before
  double seconds_max = 0;               ///< 0: no bound
  int jobs = 1;                         ///< threads; the report does not depend on it
  std::vector<std::string> peers = {};  ///< names of neighbours; if empty, the bundled ones
  bool operator==(const CheckOptions&) const = default;
};

/// A property that the webhook violates, with the smallest Case that shows it.
struct CheckFinding {
  std::string property = {};
  std::string severity = {};  ///< error or warning
  std::string verdict = {};   ///< growing, oscillating, …; empty for a property that is not about repetition
  std::string webhook = {};   ///< <configuration>/<webhook>
  std::string path = {};      ///< spec.volumes[3].name
  std::string reason = {};    ///< one sentence
  std::string fingerprint = {};  ///< equal for the same bug
  std::string text = {};         ///< several lines for a terminal, which no text from a Pod can control
  std::string document = {};     ///< the Finding as canonical JSON, as `fixpoint replay` reads it
};

struct CheckReport {
  std::vector<CheckFinding> findings = {};
  std::vector<std::string> failed_gates = {};  ///< failed vacuity checks of a run of 1,000 Cases or more
  /// The number of Cases in which each property held or was violated; absent if in none.
  std::map<std::string, std::uint64_t> decided = {};
  std::uint64_t cases = 0;   ///< the number of examined Cases
  std::uint64_t acted = 0;   ///< the number of Cases in which the webhook acted
  std::string problem = {};  ///< why nothing was checked, such as an invalid configuration
  std::string text = {};     ///< the whole report, ready to print
  bool ok() const { return problem.empty() && findings.empty() && failed_gates.empty() && cases > 0; }
};

/// A webhook under test: its configuration, and the handler that answers for it. Copies share everything,
/// also what is learned of the webhook before the first Case is drawn for it. Safe to use from several
/// threads if the handler is.
class Webhook {
 public:
  /// The manifest is YAML or JSON, one document or several: a MutatingWebhookConfiguration, whose
  /// clientConfig is ignored, and beside it objects of its cluster, above all the CustomResourceDefinitions
  /// of the kinds in its rules. All of its webhooks are answered by `handler`.
  Webhook(std::string manifest, ReviewHandler handler);

  /// The same with a configuration that calls the handler for the creation of every Pod, and again after
  /// other webhooks (reinvocationPolicy IfNeeded).
  template <class Handler>
    requires(std::is_invocable_r_v<std::string, Handler&, const std::string&> &&
             !std::same_as<std::remove_cvref_t<Handler>, Webhook>)
  Webhook(Handler&& handler)  // NOLINT(google-explicit-constructor): a test passes its handler
      : Webhook(every_pod(), ReviewHandler(std::forward<Handler>(handler))) {}

  /// The injectors that ship with fixpoint, all in their newest release: for a test without a webhook of its
  /// own.
  static const Webhook& bundled();
  /// One of them: "kserve/modelcar@0.12.0", without a release the newest; a planted defect
  /// (`fixpoint list`) shows what a test finds.
  static Webhook bundled(const std::string& injector);

  /// The name of the configuration, or of the injector; empty if there are several.
  std::string name() const;
  /// The reason why the configuration cannot be used; empty if it can.
  std::string problem() const;
  /// Returns what `check` returns, but computes it once for the same options: tests of several properties
  /// share one run.
  const CheckReport& report(const CheckOptions& options = {}) const;

  struct Hidden;
  const Hidden& hidden() const { return *hidden_; }  ///< for fixpoint itself

 private:
  explicit Webhook(std::shared_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}
  static std::string every_pod();
  std::shared_ptr<Hidden> hidden_;
};

/// Draws Cases with the webhooks of a manifest (see Webhook), all answered by `handler`, among neighbours;
/// runs them through the API server's mutating admission, and checks every property. Nothing is written to
/// disk.
CheckReport check(const ReviewHandler& handler, const std::string& manifest,
                  const CheckOptions& options = {});
CheckReport check(const Webhook& webhook, const CheckOptions& options = {});

/// Returns the names of the properties that `check` checks, in its order (docs/properties.md).
std::vector<std::string> property_names();
/// Returns the claim of a property in one sentence; empty if there is none of that name.
std::string claim_of(const std::string& property);

/// Returns the version of fixpoint, such as "0.1.0".
std::string version();

}  // namespace fixpoint
