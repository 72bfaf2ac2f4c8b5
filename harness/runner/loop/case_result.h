#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/runner/loop/pace.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::runner {

/// A property that one Case of a round violates.
struct CaseViolation {
  const properties::Property* property;
  properties::Violation violation;
  std::string fingerprint;

  /// Returns true if equal requests were answered differently.
  bool is_of_chance() const { return violation.verdict == "nondeterministic"; }
};

/// The effect of one subject in a Case.
struct SubjectInCase {
  std::size_t number;  ///< its index in RunSubjects::names
  bool acted = false;
  bool changed = false;                   ///< it acted, and did more than refuse
  std::vector<std::size_t> options = {};  ///< one for each of its triggers, as returned by option_of
  std::string denial = {};                ///< the message with which it refused
};

/// The result of one Case of a round.
struct CaseResult {
  bool done = false;
  CaseTotals totals = {.cases = 1};
  std::vector<SubjectInCase> subjects = {};  ///< those in the Case
  CaseCounts counts = {};
  std::string kind = {};  ///< of the object, by its resource; empty for a Sequence
  bool acted = false;     ///< some subject did
  Decisions decisions = {};
  std::vector<CaseViolation> violations = {};
  std::vector<properties::Observation> observations = {};  ///< of judged webhooks, each once
  std::vector<std::pair<const properties::sequences::Property*, properties::Violation>> of_sequence = {};
  bool is_sample = false;           ///< all properties were checked, and a subject changed the object
  std::optional<Drawn> value = {};  ///< kept if something is violated, and for a sample
  Features features = {};           ///< kept if one of them is new
};

/// The knowledge from earlier rounds that decides how the Cases of the next one are drawn and examined.
struct Knowledge {
  const CoverageMap& behaviour;
  std::span<const Steering> steering;
  const PropertyOrders& least_decided_first;
  Pace& pace;
};

/// Draws the Case with that number and examines it.
CaseResult examine(const RunOptions& options, const Knowledge& knowledge, const Draw& draw,
                   std::uint64_t index);

/// Returns true if findings of this webhook of the Case count.
bool is_judged(const RunSubjects& subjects, const cases::Case& value, const cases::WebhookRef& webhook);
/// Returns what a judgement is to the webhooks under test.
Decision decision_of(const RunSubjects& subjects, const cases::Case& value,
                     const properties::Judgement& judgement);

/// Returns true if each judged webhook of the candidate answers as in the original and is called for the same
/// requests: shrinking changes what is around a subject, never the subject. A bundled webhook is
/// identified by its name, which shrinking never changes.
bool keeps_subjects(const RunSubjects& subjects, const cases::Case& original, const cases::Case& candidate);

}  // namespace fixpoint::runner
