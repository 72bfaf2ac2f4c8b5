#pragma once

#include <functional>
#include <string>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

/// A question of an expression to the authorizer (apiserver/pkg/cel/library/authz.go).
struct AuthorizationQuestion {
  std::string user = {};
  std::string verb = {};
  std::string path = {};  ///< of a question that is not about a resource
  std::string group = {}, resource = {}, sub_resource = {}, name_space = {}, name = {};
  std::string field_selector = {}, label_selector = {};
};

struct AuthorizationAnswer {
  bool is_allowed = false;
  std::string reason = {};
  bool failed = false;
  std::string error = {};
};

using Authorizer = std::function<AuthorizationAnswer(const AuthorizationQuestion&)>;

/// The value of `authorizer` for a user.
Datum authorizer_value(Authorizer authorizer, std::string user);
/// The value of `authorizer.requestResource`: `about` names the user and the resource.
Datum resource_check_value(Authorizer authorizer, AuthorizationQuestion about);

}  // namespace fixpoint::apiserver::cel
