#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/policies/admission_policy.h"
#include "harness/apiserver/policies/evaluation.h"
#include "harness/apiserver/policies/policy_event.h"
#include "harness/apiserver/types/strategy.h"
#include "harness/cases/outcome.h"
#include "harness/document/limits.h"

namespace fixpoint::apiserver::policies {

/// The input of the plugin: the object of the request, and the fractions of seconds in its times that the
/// server keeps in memory (decoding/nanoseconds.h).
struct PolicyObject {
  Value object = {};
  std::string nanoseconds = {};
};

/// `namespaceObject` of a request (apiserver/pkg/admission/plugin/cel/condition.go CreateNamespaceObject).
Value namespace_object(const cases::Request& request, const cases::Cluster& cluster);

/// Returns the kind in the version by which matchConstraints or matchResources select the request, if they
/// do; an error for selectors that no server can parse
/// (apiserver/pkg/admission/plugin/policy/matching/matching.go Matches).
document::Result<std::optional<cases::Kind>> selected_kind(const Value& criteria, const cases::Kind& kind,
                                                           const cases::Request& request,
                                                           const cases::Cluster& cluster,
                                                           const Value& object);

/// The admission plugin MutatingAdmissionPolicy for one request
/// (apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go). It runs once in each pass, after all other
/// plugins and before the webhooks.
class PolicyPlugin {
 public:
  PolicyPlugin(std::vector<Policy> policies, const cases::Request& request, const cases::Cluster& cluster,
               const Strategy& strategy, int minor, const Limits& limits);

  /// Runs the policies over the object. Returns the answer to the client if one of them refuses the request.
  std::optional<cases::Status> admit(PolicyObject& object, int pass);
  /// Returns true if the policies ask for a second pass.
  bool wants_second_pass() const { return wants_second_pass_; }
  /// Returns true if a policy crashed the server, which ends the request without an audit log.
  bool has_crashed() const { return has_crashed_; }
  /// Returns the match conditions that were evaluated since the last time.
  std::vector<ConditionEvent> take_conditions() { return std::exchange(conditions_, {}); }
  /// Returns what happened since the last time.
  std::vector<PolicyEvent> take_events() { return std::exchange(events_, {}); }

 private:
  struct Invocation;
  struct Attempt;
  std::vector<Invocation> matching(const PolicyObject& object, std::vector<cases::Status>& refusals);
  void refuse(std::vector<cases::Status>& refusals, const Policy& policy, const std::string* binding,
              const std::string& why, bool is_invalid) const;
  std::optional<cases::Status> invoke(const Invocation& invocation, PolicyObject& object, int pass,
                                      std::vector<cases::Status>& refusals);
  bool meets_conditions(const Invocation& invocation, const PolicyObject& object, int pass,
                        std::vector<cases::Status>& refusals);
  static PolicyEvent event_of(const Invocation& invocation, const PolicyObject& object, int pass);
  /// `cost` is set to that of the costliest evaluation.
  Attempt mutate(const Invocation& invocation, const Mutation& mutation, PolicyObject& object,
                 std::uint64_t& cost);
  Attempt replace(PolicyObject& object, const cases::Kind& kind, const Value& changed, bool is_strict) const;
  bool is_same(const PolicyObject& a, const PolicyObject& b) const;
  cel::Activation inputs(const Invocation& invocation, const PolicyObject& object, bool has_namespace) const;
  void mark();

  std::vector<Policy> policies_;
  const cases::Request& request_;
  const cases::Cluster& cluster_;
  const Strategy& strategy_;
  const cases::Kind kind_;
  const int minor_;
  const Limits& limits_;
  std::vector<PolicyEvent> events_ = {};
  std::vector<ConditionEvent> conditions_ = {};
  std::optional<PolicyObject> last_output_ = {};
  std::set<std::string> invoked_ = {}, due_ = {};
  bool is_dirty_ = false;  ///< in this pass, a mutation was evaluated
  bool wants_second_pass_ = false;
  bool has_crashed_ = false;
};

}  // namespace fixpoint::apiserver::policies
