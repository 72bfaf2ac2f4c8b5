#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/oracle/oracle_expression.h"
#include "harness/oracle/oracle_plugins.h"

namespace fixpoint::oracle {

/// A MutatingAdmissionPolicy with its bindings.
struct Policy {
  std::string name = {};
  Json spec = {};
  std::vector<Json> bindings = {};  ///< by name
  const std::vector<Json>& conditions() const { return each(at(spec, "matchConditions")); }
  const std::vector<Json>& mutations() const { return each(at(spec, "mutations")); }
  bool ignores_failure() const { return text_at(spec, "failurePolicy") == "Ignore"; }
  bool is_reinvoked() const { return text_at(spec, "reinvocationPolicy") == "IfNeeded"; }
};

/// The bound policies of a cluster in the order in which they run; none if the server runs no policies.
std::vector<Policy> bound_policies(const Json& cluster, const RequestContext& around);

/// The objects that a binding gives to its policy, each for a run of its own; null for none. Throws
/// PolicyMisconfigured.
std::vector<Json> params_of(const Policy& policy, const Json& binding, const RequestContext& around);
struct PolicyMisconfigured : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One run of a policy's mutations.
struct PolicyRun {
  int pass = 1;
  std::string policy = {}, binding = {};
  std::string param = {};  ///< <namespace>/<name>, or the name alone
  bool changed = false;
  int errors = 0;
};

/// A rule that the reference model leaves out, so that tests can see whether a comparison notices it.
enum class Forgotten {
  nothing,
  second_pass,     ///< a policy that was evaluated asks for it
  own_run,         ///< and is due there by its own run
  guard,           ///< match conditions
  constraints,     ///< matchConstraints and matchResources
  order,           ///< policyOrder
  failure_policy,  ///< Fail
  failed_test,     ///< leaves the object alone
  defaults,        ///< are set after each mutation
  due_webhooks,    ///< pass 2 calls those alone that were due
  own_change,      ///< makes no webhook due
  failed_call,     ///< failurePolicy Ignore passes it over
};

/// The admission plugin of policies for one request (docs/simulator.md#5-5). It runs in each pass, after the
/// other plugins and before the webhooks.
class Policies {
 public:
  Policies(const Json& cluster, const RequestContext& around, std::string name_of_request, Evaluate evaluate,
           Forgotten forgotten = Forgotten::nothing);

  /// Runs the policies on the object and the fractions of seconds in it. Throws Rejected.
  void admit(const RequestContext& around, Json& object, std::string& fractions);
  /// Returns true if a policy asked for a second pass.
  bool wants_second_pass() const { return wants_second_pass_; }
  bool has_crashed() const { return has_crashed_; }
  const std::vector<PolicyRun>& runs() const { return runs_; }

 private:
  struct Turn;
  struct State;
  std::vector<Turn> turns(const RequestContext& around, const Json& object);
  void run(const Turn& turn, const RequestContext& around, State& state);
  bool takes_part(const Json& criteria, const RequestContext& around, const Json& object) const;
  bool holds(const Turn& turn, const RequestContext& around, const State& state);
  void mutate(const Turn& turn, std::size_t number, const RequestContext& around, State& state);
  void refuse(const Policy& policy, const char* reason);
  void mark();

  std::vector<Policy> policies_;
  std::string name_of_request_;
  Evaluate evaluate_;
  Forgotten forgotten_;
  std::vector<PolicyRun> runs_ = {};
  std::vector<std::string> refusals_ = {};  ///< their reasons
  std::set<std::string> invoked_ = {}, due_ = {};
  std::optional<std::pair<Json, std::string>> last_output_ = {};
  bool is_dirty_ = false, wants_second_pass_ = false, has_crashed_ = false;
};

}  // namespace fixpoint::oracle
