#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/campaign/policy.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/replay_answer.h"

namespace fixpoint::campaign {

/// An accepted problem with what today's webhooks make of its stored Case.
struct AcceptedNow {
  AcceptedProblem accepted = {};
  std::optional<runner::Answer> answer = {};  ///< none: the policy names no Case
  /// The identity that the stored Case has now, if it still fails; an older version gave other ids.
  std::string id = {}, fingerprint = {};

  /// Returns true if the acceptance covers the finding: its stored Case, if it has one, still fails.
  bool covers(const cases::Finding& finding) const;
  bool is_fixed() const { return answer && answer->kind == runner::Answer::Kind::fixed; }
  /// Returns false if the stored Case leaves open whether the problem is fixed, or fails in another way.
  bool is_good() const {
    return !answer || is_fixed() || answer->kind == runner::Answer::Kind::still_failing;
  }
  /// Returns what the gate says of the problem: "still there", "fixed", "not seen with these seeds", or that
  /// nobody can tell.
  std::string text(bool is_seen) const;
};

/// Replays the Cases of the accepted problems of a policy with the backends, the releases and the
/// configurations that its subjects have today.
std::vector<AcceptedNow> replay_accepted(const Policy& policy,
                                         const std::vector<generators::Subjects>& subjects,
                                         const external::ExternalWebhooks& outside);

}  // namespace fixpoint::campaign
