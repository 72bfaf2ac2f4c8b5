#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/sequence.h"

namespace fixpoint::cases {

/// One call in the trace of a finding, or one step of a Sequence: its number and a description.
struct TraceStep {
  int pass = 1;                         ///< 0 for a call that the property made itself
  std::string check = {};               ///< purpose of such a call: "a second call on its own output"
  std::string webhook = {};             ///< <configuration>/<webhook>
  std::vector<std::string> did = {};    ///< "+ container proxy", "~ env LOG of container main", …
  std::vector<std::string> again = {};  ///< entries of `did` that an earlier call had done already
  bool operator==(const TraceStep&) const = default;
};

struct Evidence {
  std::string path = {};
  Value value = {};
  std::string because = {};  ///< one sentence for display
  std::vector<TraceStep> calls = {};
  bool operator==(const Evidence&) const = default;
};

/// The cause of a finding, by which findings are joined to a problem (docs/judging.md#problem).
struct Cause {
  std::string part = {};     ///< kserve/agent, of a composed subject the part that does it; empty outside
  std::string place = {};    ///< spec.volumes[agent-ca-bundle]: no index, and no name of the user's
  std::string symptom = {};  ///< duplicate, lost, order; a property's name where it has no other
  bool operator==(const Cause&) const = default;
};

/// The first repair that heals a finding, as a wrapper around the webhook (docs/judging.md#problem).
struct Repair {
  std::string kind = {};  ///< add-if-absent, look-up-by-name, merge, keep-fields, keep-order, answer-as-first
  std::string operation = {};  ///< of the webhook, that is done otherwise: spec.volumes[agent-ca-bundle]
  bool operator==(const Repair&) const = default;
};

/// How a finding was found, of which nothing depends on the machine.
struct Found {
  std::uint64_t seed = 0;
  std::int64_t cases = 0;    ///< how many Cases had been drawn
  std::int64_t shrinks = 0;  ///< reductions that kept the fingerprint
  bool unfinished = false;   ///< the clock ended the shrinking: a smaller Case may show the same
  bool operator==(const Found&) const = default;
};

/// One broken property, with the evidence and the smallest Case that shows it (docs/formats.md#finding).
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
  std::optional<Repair> repair = {};  ///< if a known repair fixes it
  std::string fingerprint = {};
  bool operator==(const Finding&) const = default;
};

Value write_finding(const Finding& finding);
Result<Finding> read_finding(const Value& document, const KnownInjector& known_injector = {},
                             const SequenceReader& sequence_reader = {});

}  // namespace fixpoint::cases
