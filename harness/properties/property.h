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

/// A call that a property made itself: one that the admission did not make.
struct OwnCall {
  std::string what = {};     ///< which call it is: "a second call on its own output"
  std::string webhook = {};  ///< <configuration>/<webhook>
  Value before = {};
  apiserver::Hop hop = {};  ///< at least the Pod after the call, or its error
};

/// What a violation shows, and where.
struct Violation {
  Severity severity = Severity::error;
  std::string webhook = {};  ///< <configuration>/<webhook> to blame, empty when none can be named
  std::string verdict = {};  ///< one of docs/judging.md#verdicts; empty where repetition is not the matter
  std::string path = {};     ///< evidence: spec.volumes[3].name
  Value value = {};          ///< evidence: what stands there
  std::string shape = {};    ///< the path without indices, for the fingerprint
  std::string because = {};  ///< one sentence for a person
  std::string symptom = {};  ///< where it is another than the property's: duplicate
  std::vector<OwnCall> calls = {};  ///< that show it, in their order; none where the admission's own do
};

/// What is true of a webhook and no defect: told once at the end of a run, and never a reason to fail it.
struct Observation {
  std::string kind = {};     ///< a word for all of its kind: rewrites, patch-order, empty-patch
  std::string webhook = {};  ///< <configuration>/<webhook>
  std::string path = {};     ///< without indices: spec.containers[*].image
  std::string because = {};  ///< one sentence for a person, without its subject: "rewrites …"
};

/// The symptoms that violations have beside those of their properties, sorted.
std::span<const std::string_view> own_symptoms();

/// All kinds of observations, sorted.
std::span<const std::string_view> observation_kinds();

struct Held {
  std::string verdict = {};  ///< when it says less than the claim: no-difference-seen
  std::vector<Observation> observations = {};
};
/// The property could not be decided. Only not_reached can fail a vacuity check (docs/judging.md#skips).
struct Skipped {
  enum class Why { not_applicable, not_reached } why = Why::not_reached;
  std::string because = {};
};
struct Violated {
  std::vector<Violation> violations;
  std::vector<Observation> observations = {};
};
using Judgement = std::variant<Held, Skipped, Violated>;
/// What a judgement says beside its answer.
const std::vector<Observation>& observations_of(const Judgement& judgement);

class CallMemory;

/// One Case with all that its properties ask: the handlers behind its webhooks and what the API server did
/// with it. A property is a function of the Case and the limits alone; every probe it makes follows from
/// them.
struct Examination {
  const cases::Case& value;
  const Handlers& handlers;  ///< without the Case's faults, which are no webhook's guilt
  const apiserver::Admission& admission;
  const Limits& limits;
  CallMemory* memory = nullptr;  ///< what several properties ask alike is asked once; none: every time
  bool* has_acted = nullptr;  ///< becomes true when a webhook under test acts in a call of a property's own
  const Handlers* replicas = nullptr;  ///< second processes of some of the webhooks, without faults
  bool has_history = false;            ///< the first processes answered other Cases before, the second none
};

/// What a run puts to the test, as far as it tells which properties can apply.
struct Tested {
  std::string_view name = {};  ///< kserve/agent@0.15.0, or what a file calls it
  Value configuration = {};    ///< of a webhook; null for a reconciler
  bool is_program = false;     ///< a command answers for it
  bool is_webhook() const { return !configuration.is_null(); }
};

/// Processes can be started twice.
inline bool is_program(const Tested& tested) { return tested.is_program; }

/// What a person who met a finding asks next.
struct Explanation {
  std::string_view example = {};  ///< of a violation
  std::string_view matters = {};  ///< in a cluster
  std::string_view fix = {};      ///< as authors of webhooks usually make it
};

struct Property {
  std::string_view name;
  std::string_view claim;
  bool is_cheap;  ///< checked on every Case, the others on every 16th (docs/judging.md#properties)
  Judgement (*ask)(const Examination&);
  bool (*applies_to)(const Tested&) = nullptr;  ///< none: to every webhook
  std::string_view symptom = {};                ///< that several properties tell; none: its name
  Explanation explanation = {};
};

/// The properties that need no knowledge of any subject; a Catalog has those of packs, too.
std::span<const Property> all();
const Property* find(std::string_view name);

}  // namespace fixpoint::properties
