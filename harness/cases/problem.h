#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"

namespace fixpoint::cases {

/// A defect that a maintainer repairs once (docs/formats.md#problem); findings are its evidence.
struct Problem {
  std::string id = {};                ///< the first of `ids`
  std::vector<std::string> ids = {};  ///< one of each cause that was folded into it, sorted
  std::string title = {};             ///< one line, in a maintainer's words
  std::string severity = {};          ///< that of its worst finding
  std::string part = {};              ///< kserve/agent; a webhook's own name where it is outside
  std::string webhook = {};           ///< without its configuration
  std::string place = {};
  std::string symptom = {};
  std::optional<Repair> repair = {};
  std::size_t healed = 0;        ///< how many of its findings that repair heals
  std::size_t unclassified = 0;  ///< of its findings: the run was over before a repair was looked for
  std::vector<std::string> findings = {};  ///< fingerprints, in the order in which they were found
  std::vector<std::string> subjects = {};  ///< sorted, without their releases
  bool operator==(const Problem&) const = default;
};

/// The sentence for a repair, with the operation in it.
std::string sentence_of(const Repair& repair);

Value write_problem(const Problem& problem);

}  // namespace fixpoint::cases
