#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// A policy that is put to the test, and what a user should know of it.
struct PolicySubject {
  runner::Subject subject;
  std::string note = {};
};

/// The MutatingAdmissionPolicies of a manifest with their bindings, which may stand before or behind them.
class PolicySubjects {
 public:
  /// Takes a policy or a binding. An error if no server stores it, which says where each field is.
  std::optional<document::Error> take(const document::Value& document,
                                      const apiserver::WhereFieldIs& where = {});
  /// A subject for each policy that a Pod can reach. A policy without a binding does nothing in a cluster: it
  /// gets one here, and a note that says so.
  std::vector<PolicySubject> subjects(const std::vector<document::Value>& definitions) const;

 private:
  std::vector<document::Value> policies_ = {}, bindings_ = {};
};

}  // namespace fixpoint::external
