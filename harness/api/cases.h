#pragma once

#include <fixpoint/fixpoint.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Single Cases: drawn, run, judged, shrunk, replayed. This header needs the standard library alone.
namespace fixpoint {

namespace cases {
struct Case;
}

/// A part of a Case that can be drawn and shrunk alone.
enum class Part {
  object,    ///< the object of the request; of a custom resource with its definition
  request,   ///< the whole request: operation, namespace, user, object, old object
  chain,     ///< the webhook configurations, what answers for them, and the faults of their calls
  cluster,   ///< everything else in the cluster: version, admission plugins, objects
  policies,  ///< MutatingAdmissionPolicies with their bindings, at least one
};

/// Everything that one admission depends on: the request, the cluster, the webhooks and their faults. A
/// value; copies are cheap.
///
///     const fixpoint::Case stored = fixpoint::Case::read(text);
///     std::cout << stored.with_webhook(webhook).object();
class Case {
 public:
  /// The creation of an empty object, without webhooks.
  Case();
  /// Reads a Case from YAML or JSON (docs/formats.md#case), or the Case of a Finding. Throws
  /// std::invalid_argument with the place of the first mistake.
  static Case read(const std::string& text);

  /// The canonical JSON, indented: equal Cases have equal texts, and read() returns an equal Case.
  std::string text() const;
  /// The object of the request as compact JSON; `null` if there is none.
  std::string object() const;
  /// The stored object of an UPDATE; otherwise `null`.
  std::string old_object() const;
  /// A part as compact JSON. `pod` and `request` are what their members of the format are, `cluster` is
  /// without configurations of webhooks and policies; `chain` and `policies` are Cases without the rest.
  std::string part(Part part) const;
  /// The names <configuration>/<webhook> in the order in which the server calls them.
  std::vector<std::string> webhooks() const;
  /// The same Case with another object in the request. Throws std::invalid_argument unless it is JSON.
  Case with_object(const std::string& object) const;
  /// The same Case with this webhook. If it has none of the webhook's configuration, that takes the place of
  /// the webhooks under test; the neighbours stay.
  Case with_webhook(const Webhook& webhook) const;
  /// A Case that has this part of the given one, and is otherwise the simplest.
  Case only(Part part) const;

  friend bool operator==(const Case& a, const Case& b) { return a.equals(b); }

  explicit Case(std::shared_ptr<const cases::Case> value) : value_(std::move(value)) {}
  const cases::Case& value() const { return *value_; }  ///< for fixpoint itself

 private:
  bool equals(const Case& other) const;
  std::shared_ptr<const cases::Case> value_;
};

/// A part of a Case as a type of its own, so that a generator can be asked for it.
template <Part kPart>
struct PartOfCase {
  Case whole = {};  ///< a Case with this part alone
  std::string text() const { return whole.part(kPart); }
  friend bool operator==(const PartOfCase&, const PartOfCase&) = default;
};
using Object = PartOfCase<Part::object>;
using Pod = Object;  ///< of a webhook for Pods
using Request = PartOfCase<Part::request>;
using Chain = PartOfCase<Part::chain>;
using Cluster = PartOfCase<Part::cluster>;
using Policies = PartOfCase<Part::policies>;

/// Draws a Case for the webhook, as a run with that seed draws its Case of that number before it has learned
/// from others. The same arguments give the same Case. Throws std::invalid_argument if the configuration of
/// the webhook cannot be used, as all functions below do.
Case draw_case(std::uint64_t seed, std::uint64_t number, const Webhook& webhook = Webhook::bundled());
/// Draws a Case from recorded decisions: each selects an option, modulo the number of options, and those
/// after the last are 0, which is the simplest.
Case draw_case(const std::vector<std::uint64_t>& decisions, const Webhook& webhook = Webhook::bundled());
/// Draws Cases by the same decisions until one has this part, and returns Case::only of it.
Case draw_part(Part part, std::uint64_t seed, std::uint64_t number,
               const Webhook& webhook = Webhook::bundled());

/// Returns the Cases that one pass of fixpoint's shrinker tries, those with the largest reductions first. All
/// have the same webhook under test, and nothing in them refers to something that is missing.
std::vector<Case> shrink_candidates(const Case& value, const Webhook& webhook = Webhook::bundled());
/// Returns those of a part: Cases that have it alone, each another one than the given.
std::vector<Case> shrink_candidates(Part part, const Case& value,
                                    const Webhook& webhook = Webhook::bundled());
/// Returns the smallest Case that fixpoint's shrinker leads to and that still fails, after at most
/// `tries_max` calls of `fails`. It must be a function of its argument alone and return true for the given
/// Case.
Case shrink_case(const Case& value, const std::function<bool(const Case&)>& fails,
                 const Webhook& webhook = Webhook::bundled(), std::uint64_t tries_max = 20'000);

/// The API server's answer to the request of a Case.
struct Admitted {
  bool allowed = false;
  int code = 0;               ///< HTTP code of a refusal
  std::string message = {};   ///< of a refusal, in the server's words
  std::string object = {};    ///< after mutating admission, as compact JSON; `null` if it was refused before
  int passes = 1;             ///< 2 if webhooks were called again
  std::string document = {};  ///< the Outcome as canonical JSON (docs/formats.md#outcome)
};
/// Runs the Case through mutating admission, with_webhook(webhook). Throws std::invalid_argument if the Case
/// cannot run: it names an unknown injector, a URL or a command, or something that is not simulated.
Admitted admit(const Case& value, const Webhook& webhook = Webhook::bundled());

/// Checks every property on the Case, with_webhook(webhook), and returns those that the webhook violates,
/// not shrunk. Throws as `admit` does.
std::vector<CheckFinding> violations(const Case& value, const Webhook& webhook = Webhook::bundled());

}  // namespace fixpoint
