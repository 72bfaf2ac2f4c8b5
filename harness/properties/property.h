#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::properties {

using document::Value;
using Handlers = std::map<std::string, webhooks::Handler>;

enum class Severity { warning, error };
std::string_view word(Severity severity);

/// A call that a property made itself, beside those of the admission.
struct OwnCall {
  std::string what = {};     ///< which call it is: "a second call on its own output"
  std::string webhook = {};  ///< <configuration>/<webhook>
  Value before = {};
  apiserver::CallResult result = {};  ///< at least the Pod after the call, or its error
};

/// The evidence of a violation: its place, its value and its explanation.
struct Violation {
  Severity severity = Severity::error;
  std::string webhook = {};  ///< <configuration>/<webhook> to blame, empty when none can be named
  std::string verdict = {};  ///< one of docs/judging.md#verdicts; empty where repetition is not the matter
  std::string path = {};     ///< evidence: spec.volumes[3].name
  Value value = {};          ///< evidence: the value at the path
  std::string shape = {};    ///< the path without indices, for the fingerprint
  std::string change = {};   ///< what the webhook does there, if one shape can have two: replaces
  std::string reason = {};   ///< one sentence for a person
  std::string excerpt = {};  ///< the line of an expression, and below it a caret
  std::string symptom = {};  ///< if it differs from the property's: duplicate
  std::vector<OwnCall> calls = {};  ///< the calls that show it, in order; none if the admission's own do
};

/// A fact about a webhook that is no defect: printed once at the end of a run, and never a reason to fail it.
struct Observation {
  std::string kind = {};     ///< a word for all of its kind: rewrites, patch-order, empty-patch
  std::string webhook = {};  ///< <configuration>/<webhook>
  std::string path = {};     ///< without indices: spec.containers[*].image
  std::string reason = {};   ///< one sentence for a person, without its subject: "rewrites …"
};

/// The kind of an observation that a condition was true for one object of a Case and false for another, or
/// failed: it takes back always-true and always-false, and is not reported.
inline constexpr std::string_view kVaries = "varies";

/// The kind of an observation that a webhook refuses for want of a kind in the cluster.
inline constexpr std::string_view kUnservedKind = "unserved-kind";

/// Returns the symptoms that violations have beside those of their properties, sorted.
std::span<const std::string_view> own_symptoms();

/// Returns all kinds of observations, sorted.
std::span<const std::string_view> observation_kinds();

struct Held {
  std::string verdict = {};  ///< if it says less than the claim: no-difference-seen
  std::vector<Observation> observations = {};
};
/// The property could not be decided. Only not_reached can fail a vacuity check (docs/judging.md#skips).
struct Skipped {
  enum class Why { not_applicable, not_reached } why = Why::not_reached;
  std::string reason = {};
  std::vector<Observation> observations = {};
};
struct Violated {
  std::vector<Violation> violations;
  std::vector<Observation> observations = {};
};
using Judgement = std::variant<Held, Skipped, Violated>;
/// Returns the observations that a judgement carries.
const std::vector<Observation>& observations_of(const Judgement& judgement);

class CallMemory;

/// One Case with everything that its properties need: the handlers of its webhooks and the admission by the
/// API server. A property is a function of the Case and the limits alone; every probe it makes follows from
/// them.
struct Examination {
  const cases::Case& value;
  const Handlers& handlers;  ///< without the Case's faults, which are not the webhooks'
  const apiserver::Admission& admission;
  const Limits& limits;
  CallMemory* memory = nullptr;  ///< shares the calls that several properties make; none: each makes its own
  bool* has_acted =
      nullptr;  ///< set to true if a webhook under test acts in a call that a property made itself
  const Handlers* replicas = nullptr;  ///< second processes of some of the webhooks, without faults
  bool has_history = false;            ///< the first processes answered other Cases before, the second none
  /// Receives the calls that a property made itself, without their purpose, if it is set.
  std::vector<OwnCall>* own_calls = nullptr;
};

/// A subject of a run, with the facts that decide which properties can apply to it.
struct Tested {
  std::string_view name = {};  ///< kserve/agent@0.15.0, or the name in a file
  Value configuration = {};    ///< of a webhook, or a policy; null for a reconciler
  bool is_program = false;     ///< a command answers for it
  bool is_server = false;      ///< a URL does
  bool is_webhook() const { return !configuration.is_null(); }
};

/// Returns true if the server calls the subject; it does not call a policy.
bool is_called(const Tested& tested);
/// Returns true if the subject is a MutatingAdmissionPolicy.
bool is_policy(const Tested& tested);
/// Returns true if a second process of the subject can be started.
inline bool is_program(const Tested& tested) { return tested.is_program; }
/// Returns true if the subject may get several requests at a time.
inline bool is_server(const Tested& tested) { return tested.is_server; }

/// The answers to the questions that a user asks about a finding.
struct Explanation {
  std::string_view example = {};  ///< of a violation
  std::string_view matters = {};  ///< in a cluster
  std::string_view fix = {};      ///< as authors of webhooks usually make it
};

/// A claim about webhooks. Its file has the question and the row; docs/judging.md#helpers says which helper
/// answers what:
///
///     Judgement keeps_name(const Examination& examination) {
///       const auto calls = effective_calls(examination);
///       if (calls.empty()) return not_reached("no webhook changed the object");
///       std::vector<Violation> violations;
///       for (const FirstCall& call : calls)
///         if (call.event.result.after["metadata"]["name"] != call.event.before["metadata"]["name"])
///           violations.push_back({.webhook = call.webhook.key, .path = "metadata.name", …});
///       return judged(std::move(violations));
///     }
///     extern constinit const Property kKeepsName{.name = "keeps-name", …, .ask = keeps_name};
struct Property {
  std::string_view name;
  std::string_view claim;
  bool is_cheap;  ///< checked on every Case, the others on every 16th (docs/judging.md#properties)
  Judgement (*ask)(const Examination&);
  bool takes_any_kind = false;                  ///< it asks about objects of every kind, not of Pods alone
  bool (*applies_to)(const Tested&) = nullptr;  ///< none: it applies to every webhook
  std::string_view symptom = {};                ///< the one that several properties share; none: its name
  Explanation explanation = {};
};

/// The properties that need no knowledge of any subject; a Catalog has those of packs, too.
std::span<const Property> all();
const Property* find(std::string_view name);

}  // namespace fixpoint::properties
