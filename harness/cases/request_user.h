#pragma once

#include <string>
#include <string_view>

#include "harness/cases/case.h"

// Facts that a server knows of a request and a Case does not say (docs/formats.md#case).
namespace fixpoint::cases {

/// The group of everybody whom a server knows (apiserver/pkg/authentication/user AllAuthenticated).
inline constexpr std::string_view kAuthenticated = "system:authenticated";

/// Returns the user of a request: its own, or the administrator who set up the cluster, since a server knows
/// the user of every request. What a webhook receives, match conditions, policies and the authorizer agree.
const UserInfo& user_of(const Request& request);

/// Returns the user of that name with the groups that a server gives it: a service account those of all
/// accounts and of its namespace (apiserver/pkg/authentication/serviceaccount MakeGroupNames), a node
/// system:nodes, and everybody kAuthenticated.
UserInfo user_named(std::string username);

/// Returns the name of the object in the request, which no webhook changes: an UPDATE names the stored
/// object, and a CREATE with only a generateName names none.
std::string_view name_of(const Request& request);

}  // namespace fixpoint::cases
