#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/pace.h"
#include "harness/runner/run.h"

namespace fixpoint::runner {

/// A property that one Case of a round violates.
struct CaseViolation {
  const properties::Property* property;
  properties::Violation violation;
  std::string fingerprint;
};

/// What one subject did in a Case.
struct SubjectInCase {
  std::size_t number;  ///< its place in RunOptions::subject_names
  bool acted = false;
  bool changed = false;                   ///< it acted, and not only by refusing
  std::vector<std::size_t> options = {};  ///< of each of its triggers, as option_of has them
  std::string denial = {};                ///< the message with which it refused
};

/// The result of one Case of a round.
struct CaseResult {
  bool done = false;
  bool broken = false;  ///< it could not run
  bool fully = false, reinvoked = false, rejected = false, late_container = false, has_faults = false;
  bool untouched = false;
  bool is_sequence = false;
  std::vector<SubjectInCase> subjects = {};  ///< those that stand in the Case
  Contents contents = {};
  std::vector<std::pair<std::string_view, char>> outcomes =
      {};  ///< h, v, s, n: held, violated, skipped, not applicable
  std::vector<CaseViolation> violations = {};
  std::vector<properties::Observation> observations = {};  ///< of judged webhooks, each once
  std::vector<std::pair<const properties::sequences::Property*, properties::Violation>> of_sequence = {};
  bool is_sample = false;  ///< one of those that ask everything, in which a subject changed the object
  std::optional<Drawn> value = {};  ///< kept when something is violated, and of a sample
  Marks marks = {};                 ///< when one of them is new
};

/// What the rounds before taught, by which the Cases of the next one are drawn and examined.
struct Knowledge {
  const KnownBehaviour& behaviour;
  std::span<const Steering> steering;
  std::span<const properties::Property* const> least_decided_first;
  Pace& pace;
};

/// Draws the Case with that number and examines it.
CaseResult examine(const RunOptions& options, const Knowledge& knowledge, const Draw& draw,
                   std::uint64_t index);

/// Returns true if findings of this webhook of the Case, <configuration>/<webhook>, count.
bool is_judged(const RunOptions& options, const cases::Case& value, const std::string& webhook);

/// Returns true if each judged webhook of the candidate answers as in the original and is called for the same
/// requests: shrinking changes what is around a subject, never the subject. A bundled webhook is its name,
/// which no reduction changes.
bool keeps_subjects(const RunOptions& options, const cases::Case& original, const cases::Case& candidate);

}  // namespace fixpoint::runner
