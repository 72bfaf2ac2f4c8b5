#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"

namespace fixpoint::cases {

/// A defect that a maintainer fixes once (docs/formats.md#problem); findings are its evidence.
struct Problem {
  std::string id = {};                ///< the first of `ids`
  std::vector<std::string> ids = {};  ///< one per cause that was merged into it, sorted
  std::string title = {};             ///< one line, in a maintainer's words
  std::string severity = {};          ///< that of its worst finding
  std::string part = {};              ///< kserve/agent; for an external webhook its own name
  std::string webhook = {};           ///< without its configuration
  std::string place = {};
  std::string symptom = {};
  std::string change = {};  ///< the kind of change of its worst finding; empty if the symptom says it
  std::optional<Repair> repair = {};
  std::size_t healed = 0;                  ///< number of its findings that the repair heals
  std::size_t unclassified = 0;            ///< findings for which the run ended before a repair was tried
  std::vector<std::string> findings = {};  ///< fingerprints, in the order in which they were found
  std::vector<std::string> subjects = {};  ///< sorted, without releases
  /// The sentence that lists print once for all problems of a webhook that share it, with {} for their
  /// number; empty for a problem with a line of its own.
  std::string line = {};
  int rank = 1;  ///< among the problems of its severity, lists tell it by this first
  bool operator==(const Problem&) const = default;
};

/// The names of known problems of an earlier run: one that was there, and one that was fixed and is back.
inline constexpr const char* kStill = "an earlier run";
inline constexpr const char* kReopened = "fixed in an earlier run";

/// The place of what a webhook does alike in many places.
inline constexpr const char* kNoPlace = "everywhere";

/// Returns the key of a cause in the map of known_as: the part, or the webhook's own name, with the place,
/// the symptom, and a kind of change that is a sentence.
std::string cause_key(const std::string& who, const std::string& place, const std::string& symptom,
                      const std::string& change = {});

/// Returns the name under which a finding of the problem, or its cause, is known; empty if none is. `known`
/// maps fingerprints and keys of causes to names.
std::string known_as(const Problem& problem, const std::map<std::string, std::string>& known);

/// Returns the public numbers behind the name of a known problem: "kserve/kserve#1, mended by
/// kserve/kserve#2"; empty if it has none.
std::string_view published_as(std::string_view known_as);

/// Returns the word for a problem that is known under that name (known_as): NEW, STILL, REOPENED, or KNOWN
/// for a stored regression.
std::string_view state_word(std::string_view known_as);

/// Returns the problems in rows, in the order of their first ones: those of one webhook and severity with an
/// equal `line` are one row, every other problem is one of its own.
std::vector<std::vector<Problem>> rows_of(const std::vector<Problem>& problems);

/// Returns the title of a row: that of its problem, or what all of them have in common.
std::string title_of_row(const std::vector<Problem>& row);

/// Returns the sentence that describes a repair and its operation.
std::string sentence_of(const Repair& repair);

Value write_problem(const Problem& problem);

}  // namespace fixpoint::cases
