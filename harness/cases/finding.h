#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/sequence.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::cases {

/// One call in the trace of a finding, or one step of a Sequence: its number and a description.
struct TraceStep {
  int pass = 1;                         ///< 0 for a call that the property made in addition
  std::string check = {};               ///< purpose of such a call: "a second call on its own output"
  std::string webhook = {};             ///< <configuration>/<webhook>
  std::vector<std::string> effect = {};  ///< "+ container proxy", "~ env LOG of container main", …
  std::vector<std::string> again = {};  ///< entries of `did` that an earlier call had done already
  bool operator==(const TraceStep&) const = default;
};

struct Evidence {
  std::string path = {};
  Value value = {};
  std::string reason = {};   ///< one sentence for display
  std::string excerpt = {};  ///< the line of an expression, and below it a caret under the place
  std::vector<TraceStep> calls = {};
  bool operator==(const Evidence&) const = default;
};

/// The cause of a finding; findings with one cause are one problem (docs/judging.md#problem).
struct Cause {
  std::string part = {};     ///< the responsible part, such as kserve/agent; empty for an external webhook
  std::string place = {};    ///< spec.volumes[agent-ca-bundle]: no index, and no name chosen by the user
  std::string symptom = {};  ///< duplicate, lost, order; otherwise the name of the property
  /// The kind of change, if the symptom does not say it: replaces; and behind semicolons what was seen of a
  /// guard (runner/diagnosis/guard.h).
  std::string change = {};
  bool operator==(const Cause&) const = default;
};

/// The first repair that heals a finding, as a wrapper around the webhook (docs/judging.md#problem).
struct Repair {
  std::string kind = {};  ///< add-if-absent, look-up-by-name, merge, keep-fields, keep-order, answer-as-first
  std::string operation = {};  ///< the webhook's operation that it changes: spec.volumes[agent-ca-bundle]
  bool operator==(const Repair&) const = default;
};

/// The search that led to a finding; none of its values depends on the machine.
struct Found {
  std::uint64_t seed = 0;
  std::int64_t cases = 0;    ///< number of Cases drawn before
  std::int64_t shrinks = 0;  ///< number of reductions that kept the fingerprint
  bool unfinished = false;   ///< time ran out while shrinking: a smaller Case may exist
  bool operator==(const Found&) const = default;
};

/// One violated property, with the evidence and the smallest Case that shows it (docs/formats.md#finding).
struct Finding {
  std::string property = {};
  std::string severity = {};  ///< error or warning
  std::string webhook = {};   ///< the responsible webhook; empty if unknown
  std::string verdict = {};   ///< empty (null) for properties not about repetition
  Evidence evidence = {};
  Case value = {};
  std::vector<Case> before = {};          ///< Cases run in the same processes before `value`, oldest first
  std::optional<Sequence> sequence = {};  ///< instead of `value`, for a reconciler
  Found found = {};
  std::optional<Cause> cause = {};    ///< absent in files of older versions
  std::optional<Repair> repair = {};  ///< if a known repair heals it
  std::string fingerprint = {};
  WebhookRef blamed() const { return webhook_ref(value, webhook); }
  bool operator==(const Finding&) const = default;
};

Value write_finding(const Finding& finding);
Result<Finding> read_finding(const Value& document, const KnownInjector& known_injector = {},
                             const SequenceReader& sequence_reader = {});

}  // namespace fixpoint::cases
