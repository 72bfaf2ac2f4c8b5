#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// Returns the headers by which a request to an API server acts as that user; none without a user.
std::vector<std::string> impersonation_of(const std::optional<cases::UserInfo>& user);

/// Returns a Role that allows to create and update Pods, and the RoleBinding that gives it to a user.
document::Value role_for_pods();
document::Value binding_of(const std::string& username);

}  // namespace fixpoint::conformance
