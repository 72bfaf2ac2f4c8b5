#include "harness/cases/request_user.h"

#include <utility>

namespace fixpoint::cases {

namespace {

constexpr std::string_view kServiceAccount = "system:serviceaccount:", kNode = "system:node:";

}  // namespace

const UserInfo& user_of(const Request& request) {
  static const UserInfo administrator{.username = "kubernetes-admin",
                                      .groups = {"system:masters", std::string(kAuthenticated)}};
  return request.user_info ? *request.user_info : administrator;
}

UserInfo user_named(std::string username) {
  UserInfo user{.username = std::move(username)};
  if (user.username.starts_with(kServiceAccount)) {
    const std::string account = user.username.substr(kServiceAccount.size());
    user.groups = {"system:serviceaccounts",
                   "system:serviceaccounts:" + account.substr(0, account.find(':'))};
  } else if (user.username.starts_with(kNode)) {
    user.groups = {"system:nodes"};
  }
  user.groups.emplace_back(kAuthenticated);
  return user;
}

std::string_view name_of(const Request& request) {
  const std::string_view stored = request.old_object["metadata"]["name"].text();
  return request.is_update() && !stored.empty() ? stored : request.object["metadata"]["name"].text();
}

}  // namespace fixpoint::cases
