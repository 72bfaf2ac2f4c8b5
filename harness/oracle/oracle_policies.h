#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/oracle/oracle_environment.h"
#include "harness/oracle/oracle_request.h"

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
std::vector<Json> params_of(const Policy& policy, const Json& binding, const RequestContext& around,
                            const Steps& steps);
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

/// The admission plugin of policies for one request (docs/simulator.md#5-5). It runs in each pass, after the
/// other plugins and before the webhooks.
class Policies {
 public:
  Policies(const Json& cluster, const RequestContext& around, std::string name_of_request,
           const Environment& environment);

  /// Runs the policies on the object. Throws Rejected.
  void admit(const RequestContext& around, Object& object);
  /// Returns true if a policy asked for a second pass.
  bool wants_second_pass() const { return wants_second_pass_; }
  bool has_crashed() const { return has_crashed_; }
  const std::vector<PolicyRun>& runs() const { return runs_; }

 private:
  struct Turn;
  std::vector<Turn> turns(const RequestContext& around, const Json& object);
  void run(const Turn& turn, const RequestContext& around, Object& object);
  bool takes_part(const Json& criteria, const RequestContext& around, const Json& object) const;
  bool holds(const Turn& turn, const RequestContext& around, const Object& object);
  void mutate(const Turn& turn, std::size_t number, const RequestContext& around, Object& object);
  void replace(Object& object, Json changed, bool is_json_patch) const;
  void refuse(const Policy& policy, const char* reason);
  bool forgets(Forgotten rule) const { return environment_.forgotten == rule; }
  void mark();

  std::vector<Policy> policies_;
  std::string name_of_request_;
  const Environment& environment_;
  std::vector<PolicyRun> runs_ = {};
  std::vector<std::string> refusals_ = {};  ///< their reasons
  std::set<std::string> invoked_ = {}, due_ = {};
  std::optional<Object> last_output_ = {};
  bool is_dirty_ = false, wants_second_pass_ = false, has_crashed_ = false;
};

}  // namespace fixpoint::oracle
