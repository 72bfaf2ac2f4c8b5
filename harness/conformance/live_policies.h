#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"

/// MutatingAdmissionPolicies of a Case on a real API server (live_cluster.h).
namespace fixpoint::conformance {

inline constexpr std::string_view kPoliciesPath =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
inline constexpr std::string_view kPolicyBindingsPath =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";
/// The label of a probe Pod once the server uses the policies that were created.
inline constexpr const char* kPoliciesSeen = "fixpoint-live-policies";

/// Returns why the policies of the Case say something else on a server than in the Case; empty if they do
/// not: a server has no order among several bindings or params, its authorizer has rules of its own, and it
/// has only the params that a Case can create, which are ConfigMaps of its namespace.
std::string beyond_a_server(const cases::Case& value);

/// An object and the collection to create it in.
struct Registered {
  std::string_view collection;
  document::Value object;
};
/// Returns the Case's policies, then their bindings, as they are registered: under names with the prefix, for
/// Pods of the namespace alone, except for those with the label. The last policy and the last binding are the
/// probe, which gives the label kPoliciesSeen to Pods with that label.
std::vector<Registered> registered_policies(const cases::Case& value, const std::string& prefix,
                                            const std::string& probe_label);

}  // namespace fixpoint::conformance
