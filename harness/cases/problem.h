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
  std::optional<Repair> repair = {};
  std::size_t healed = 0;                  ///< number of its findings that the repair heals
  std::size_t unclassified = 0;            ///< findings for which the run ended before a repair was tried
  std::vector<std::string> findings = {};  ///< fingerprints, in the order in which they were found
  std::vector<std::string> subjects = {};  ///< sorted, without releases
  bool operator==(const Problem&) const = default;
};

/// Returns the name under which a finding of the problem is known; empty if none is. `known` maps
/// fingerprints to names.
std::string known_as(const Problem& problem, const std::map<std::string, std::string>& known);

/// Returns the sentence that describes a repair and its operation.
std::string sentence_of(const Repair& repair);

Value write_problem(const Problem& problem);

}  // namespace fixpoint::cases
