#include "harness/apiserver/matching/rbac.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/cases/request_user.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cel::AuthorizationAnswer;
using cel::AuthorizationQuestion;
using document::Text;
using document::Value;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
constexpr std::string_view kServiceAccount = "system:serviceaccount:";

bool has_text(const Value& list, std::string_view wanted) {
  const auto all = list.elements();
  return std::any_of(all.begin(), all.end(), [&](const Value& one) { return one.text() == wanted; });
}
bool allows(const Value& list, std::string_view wanted) {
  return has_text(list, "*") || has_text(list, wanted);
}

/// The user that a question is about, with the groups that are known.
struct Who {
  std::string name;
  std::vector<std::string> groups;
};

Who who_asks(const AuthorizationQuestion& question, const cases::Request& request) {
  const cases::UserInfo& user = cases::user_of(request);
  if (user.username == question.user) return {question.user, user.groups};
  if (!question.user.starts_with(kServiceAccount)) return {question.user, {}};
  return {question.user, cases::user_named(question.user).groups};
}

/// Returns the subject as the reason names it, if it is the user.
std::string matching_subject(const Value& binding, const Who& who, std::string_view in_namespace) {
  for (const Value& subject : binding["subjects"].elements()) {
    const std::string_view kind = subject["kind"].text();
    const std::string name(subject["name"].text());
    if (kind == "User" && who.name == name) return "User \"" + name + "\"";
    if (kind == "Group" && std::find(who.groups.begin(), who.groups.end(), name) != who.groups.end())
      return "Group \"" + name + "\"";
    if (kind != "ServiceAccount") continue;
    const Value& given = subject["namespace"];
    const std::string space(given.is_string() ? given.text() : in_namespace);
    if (who.name == std::string(kServiceAccount) + space + ":" + name)
      return "ServiceAccount \"" + name + "/" + space + "\"";
  }
  return {};
}

bool covers_path(const Value& paths, std::string_view path) {
  const auto all = paths.elements();
  return std::any_of(all.begin(), all.end(), [&](const Value& one) {
    const std::string_view pattern = one.text();
    if (pattern == "*" || pattern == path) return true;
    return pattern.ends_with('*') && path.starts_with(pattern.substr(0, pattern.find_last_not_of('*') + 1));
  });
}

bool rule_allows(const Value& rule, const AuthorizationQuestion& question) {
  if (!allows(rule["verbs"], question.verb)) return false;
  if (!question.path.empty()) return covers_path(rule["nonResourceURLs"], question.path);
  if (!allows(rule["apiGroups"], question.group)) return false;
  const std::string combined =
      question.sub_resource.empty() ? question.resource : question.resource + "/" + question.sub_resource;
  const bool is_resource =
      allows(rule["resources"], combined) ||
      (!question.sub_resource.empty() && has_text(rule["resources"], "*/" + question.sub_resource));
  if (!is_resource) return false;
  return rule["resourceNames"].empty() || has_text(rule["resourceNames"], question.name);
}

class Rbac {
 public:
  Rbac(const cases::Cluster& cluster, const cases::Request& request) : cluster_(cluster), request_(request) {}

  AuthorizationAnswer answer(const AuthorizationQuestion& question) const {
    const Who who = who_asks(question, request_);
    if (std::find(who.groups.begin(), who.groups.end(), "system:masters") != who.groups.end())
      return {.is_allowed = true};
    std::string problems;
    for (const char* kind : {"ClusterRoleBinding", "RoleBinding"}) {
      for (const Value* binding : cluster_.of_kind({kind, kGroup})) {
        if (auto allowed = bound(*binding, question, who, problems)) return *std::move(allowed);
      }
    }
    if (problems.empty()) return {};
    return {.reason = Text("RBAC: {}").with({problems})};
  }

 private:
  std::optional<AuthorizationAnswer> bound(const Value& binding, const AuthorizationQuestion& question,
                                           const Who& who, std::string& problems) const {
    const bool is_cluster_wide = binding["kind"].text() == "ClusterRoleBinding";
    const std::string space(binding["metadata"]["namespace"].text());
    if (!is_cluster_wide && (question.name_space.empty() || space != question.name_space)) return {};
    const std::string subject = matching_subject(binding, who, space);
    if (subject.empty()) return {};
    const std::string role_kind(binding["roleRef"]["kind"].text()), role(binding["roleRef"]["name"].text());
    const Value* found = cluster_.find({role_kind, kGroup}, role_kind == "Role" ? space : "", role);
    if (found == nullptr) {
      const char* resource = role_kind == "Role" ? "role" : "clusterrole";
      problems.append(problems.empty() ? "" : ", ")
          .append(
              Text("{}.rbac.authorization.k8s.io {} not found").with({resource, document::go_quoted(role)}));
      return {};
    }
    const auto rules = (*found)["rules"].elements();
    const bool is_allowed = std::any_of(rules.begin(), rules.end(),
                                        [&](const Value& rule) { return rule_allows(rule, question); });
    if (!is_allowed) return {};
    const std::string name(binding["metadata"]["name"].text());
    const std::string place =
        is_cluster_wide ? document::go_quoted(name) : document::go_quoted(name + "/" + space);
    return AuthorizationAnswer{
        .is_allowed = true,
        .reason = Text("RBAC: allowed by {} {} of {} {} to {}")
                      .with({binding["kind"].text(), place, role_kind, document::go_quoted(role), subject})};
  }

  const cases::Cluster& cluster_;
  const cases::Request& request_;
};

}  // namespace

cel::Authorizer rbac_authorizer(const cases::Cluster& cluster, const cases::Request& request) {
  return [rbac = Rbac(cluster, request)](const AuthorizationQuestion& question) {
    return rbac.answer(question);
  };
}

AuthorizationQuestion about_request(const cases::Request& request, const cases::Kind& kind,
                                    std::string_view name) {
  return {.user = cases::user_of(request).username,
          .group = std::string(kind.group),
          .resource = std::string(kind.plural),
          .sub_resource = request.sub_resource,
          .name_space = std::string(cases::namespace_of(request, kind)),
          .name = std::string(name)};
}

}  // namespace fixpoint::apiserver
