#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"

namespace fixpoint::corpus {

/// Reads the entries about the mutating webhooks of Pod requests from an audit log of the API server: the
/// annotations `mutation.…` and `patch.…` at level Request (docs/simulator.md#3-8), round by round.
class AuditLog {
 public:
  explicit AuditLog(bool keeps_env, const Limits& limits) : keeps_env_(keeps_env), limits_(limits) {}

  /// Reads a line of the log. A request that is not a finished creation of a Pod is counted and skipped.
  /// Returns an error if the line is not an audit event.
  std::optional<document::Error> take(std::string_view line);

  /// Returns a seed for each request: the Pod as it was sent, with webhooks that send the recorded patches.
  const std::vector<cases::Case>& seeds() const { return seeds_; }

  struct Seen {
    std::uint64_t requests = 0;              ///< requests in which the webhook was called
    std::uint64_t patched_again = 0;         ///< requests in which it patched in two rounds
    std::set<std::string> added_again = {};  ///< elements that both rounds added: "spec.volumes[certs]"
  };
  const std::map<std::string, Seen>& webhooks() const { return webhooks_; }
  std::uint64_t lines() const { return lines_; }
  /// Returns the number of creations of Pods without a request object, because the log's level is below
  /// Request.
  std::uint64_t without_object() const { return without_object_; }
  /// Returns the number of events that do not say their stage, and so cannot be distinguished from one
  /// another.
  std::uint64_t without_stage() const { return without_stage_; }

 private:
  const bool keeps_env_;
  const Limits limits_;
  std::vector<cases::Case> seeds_ = {};
  std::map<std::string, Seen> webhooks_ = {};
  std::uint64_t lines_ = 0, without_object_ = 0, without_stage_ = 0;
};

}  // namespace fixpoint::corpus
