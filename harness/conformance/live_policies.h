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
/// Returns true if a binding of the Case has a param.
bool has_params(const cases::Case& value);

/// The label of a probe Pod once the server uses the policies that were created.
inline constexpr const char* kPoliciesSeen = "fixpoint-live-policies";

/// Returns true if an expression of a policy or of a webhook's conditions reads the request's user.
bool reads_user(const cases::Cluster& cluster);

/// Returns why the policies of the Case say something else on a server than in the Case; empty if they do
/// not: a server has no order among several bindings or params, its authorizer, which conditions of webhooks
/// ask, too, has rules of its own, and it has only the params that a Case can create, which are ConfigMaps of
/// its namespace.
std::string beyond_a_server(const cases::Case& value);

/// An object and the collection to create it in.
struct Registered {
  std::string_view collection;
  document::Value object;
};
/// Returns the Case's policies, then their bindings, as they are registered: under names with the prefix, for
/// Pods of the namespace alone, except for those with the label. The last policy and the last binding are the
/// probe, which gives the label kPoliciesSeen to Pods with that label; if the Case has params, only if the
/// server sees a param, the ConfigMap of probe_param().
std::vector<Registered> registered_policies(const cases::Case& value, const std::string& prefix,
                                            const std::string& probe_label);

document::Value probe_param(const std::string& namespace_name);

/// Returns a policy and its binding that act on nothing and have a param. A server reads no params of a kind
/// any more, for the life of its process, once the last binding with a param of that kind was deleted
/// (kubernetes issue 130887): this one stays as long as the run.
std::vector<Registered> keeper_of_params(const std::string& prefix);

}  // namespace fixpoint::conformance
