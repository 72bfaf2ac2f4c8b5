#include "harness/oracle/oracle_authorizer.h"

#include <algorithm>
#include <optional>

#include "harness/oracle/oracle_formats.h"

namespace fixpoint::oracle {

namespace {

using Parts = std::map<std::string, std::string>;

constexpr std::string_view kAccounts = "system:serviceaccount:";

bool lists(const Json& list, const std::string& text) {
  return std::find(each(list).begin(), each(list).end(), Json(text)) != each(list).end();
}
bool lists_or_all(const Json& list, const std::string& text) { return lists(list, "*") || lists(list, text); }

std::string part(const Parts& question, const std::string& name) {
  const auto found = question.find(name);
  return found == question.end() ? "" : found->second;
}

bool takes_path(const Json& rule, const std::string& path) {
  for (const Json& one : each(at(rule, "nonResourceURLs"))) {
    const std::string pattern = one.get<std::string>();
    if (pattern == "*" || pattern == path) return true;
    const std::string stem = pattern.substr(0, pattern.find_last_not_of('*') + 1);
    if (pattern.ends_with('*') && path.starts_with(stem)) return true;
  }
  return false;
}

bool takes_question(const Json& rule, const Parts& question) {
  if (!lists_or_all(at(rule, "verbs"), part(question, "verb"))) return false;
  if (question.contains("path")) return takes_path(rule, part(question, "path"));
  if (!lists_or_all(at(rule, "apiGroups"), part(question, "group"))) return false;
  const std::string sub = part(question, "subresource"), resource = part(question, "resource");
  const Json& resources = at(rule, "resources");
  const bool is_named = lists_or_all(resources, sub.empty() ? resource : resource + "/" + sub) ||
                        (!sub.empty() && lists(resources, "*/" + sub));
  const Json& names = at(rule, "resourceNames");
  return is_named && (each(names).empty() || lists(names, part(question, "name")));
}

/// What RBAC says to a question, by a user with these groups.
class Roles {
 public:
  Roles(const Surroundings& around, const Parts& question) : around_(around), question_(question) {
    user_ = part(question, "user");
    if (user_ == text_at(around.user, "username")) {
      for (const Json& group : each(at(around.user, "groups"))) groups_.push_back(group);
    } else if (user_.starts_with(kAccounts)) {
      const std::string rest = user_.substr(kAccounts.size());
      groups_ = {"system:serviceaccounts", "system:serviceaccounts:" + rest.substr(0, rest.find(':')),
                 "system:authenticated"};
    }
  }

  /// Whether it is allowed, and why.
  std::pair<bool, std::string> decision() {
    if (lists(groups_, "system:masters")) return {true, ""};
    for (const char* kind : {"ClusterRoleBinding", "RoleBinding"}) {
      std::vector<Json> bindings;
      for (const Json& object : around_.objects) {
        const bool is_ours = text_at(object, "apiVersion").starts_with("rbac.authorization.k8s.io/");
        if (is_ours && text_at(object, "kind") == kind) bindings.push_back(object);
      }
      std::stable_sort(bindings.begin(), bindings.end(), [](const Json& a, const Json& b) {
        return text_at(at(a, "metadata"), "name") < text_at(at(b, "metadata"), "name");
      });
      for (const Json& binding : bindings)
        if (const auto why = allows(binding)) return {true, "RBAC: allowed by " + *why};
    }
    return {false, problems_.empty() ? "" : "RBAC: " + problems_};
  }

 private:
  std::optional<std::string> subject_of(const Json& binding) const {
    for (const Json& subject : each(at(binding, "subjects"))) {
      const std::string kind = text_at(subject, "kind"), name = text_at(subject, "name");
      const bool is_user = kind == "User" && name == user_,
                 is_group = kind == "Group" && lists(groups_, name);
      if (is_user || is_group) return kind + " \"" + name + "\"";
      const std::string space = subject.contains("namespace") ? text_at(subject, "namespace")
                                                              : text_at(at(binding, "metadata"), "namespace");
      if (kind == "ServiceAccount" && user_ == std::string(kAccounts) + space + ":" + name)
        return kind + " \"" + name + "/" + space + "\"";
    }
    return std::nullopt;
  }

  std::optional<std::string> allows(const Json& binding) {
    const Json &metadata = at(binding, "metadata"), &reference = at(binding, "roleRef");
    const std::string kind = text_at(binding, "kind"), space = text_at(metadata, "namespace");
    const bool is_local = kind == "RoleBinding";
    if (is_local && (part(question_, "namespace").empty() || part(question_, "namespace") != space))
      return {};
    const auto subject = subject_of(binding);
    if (!subject) return {};
    const std::string role = text_at(reference, "name"), role_kind = text_at(reference, "kind");
    const Json found = around_.find(role_kind, role_kind == "Role" ? space : "", role);
    if (found.is_null()) {
      problems_ += problems_.empty() ? "" : ", ";
      problems_ += (role_kind == "Role" ? "role" : "clusterrole") +
                   std::string(".rbac.authorization.k8s.io \"") + role + "\" not found";
      return {};
    }
    const auto& rules = each(at(found, "rules"));
    if (!std::any_of(rules.begin(), rules.end(),
                     [&](const Json& rule) { return takes_question(rule, question_); }))
      return {};
    const std::string name = text_at(metadata, "name") + (is_local ? "/" + space : "");
    return kind + " \"" + name + "\" of " + role_kind + " \"" + role + "\" to " + *subject;
  }

  const Surroundings& around_;
  const Parts& question_;
  std::string user_;
  Json groups_ = Json::array();
  std::string problems_ = {};
};

/// A question or a decision: `text` says what it is, the entries are its parts.
CelValue question(const std::string& what, const Parts& parts) {
  CelEntries entries;
  for (const auto& [name, text] : parts) entries.emplace_back(cel_text(name), cel_text(text));
  return {.is = CelValue::Is::question,
          .text = what,
          .entries = std::make_shared<const CelEntries>(std::move(entries))};
}

Parts parts_of(const CelValue& question) {
  Parts parts;
  for (const auto& [name, text] : *question.entries) parts[name.text] = text.text;
  return parts;
}

struct Step {
  const char* of;
  const char* function;
  const char* becomes;
};
/// The functions that add a part of their own name to a question.
constexpr Step kSteps[] = {{"authorizer", "path", "path"},
                           {"authorizer", "group", "group"},
                           {"group", "resource", "resource"},
                           {"resource", "subresource", "resource"},
                           {"resource", "name", "resource"},
                           {"resource", "namespace", "resource"},
                           {"resource", "fieldSelector", "resource"},
                           {"resource", "labelSelector", "resource"}};

}  // namespace

void add_authorizer(CelInputs& inputs, const Surroundings& around, const std::string& name) {
  const std::string user = text_at(around.user, "username");
  inputs.values["authorizer"] = question("authorizer", {{"user", user}});
  inputs.values["authorizer.requestResource"] = question("resource", {{"user", user},
                                                                      {"resource", "pods"},
                                                                      {"subresource", around.sub_resource},
                                                                      {"namespace", around.namespace_name},
                                                                      {"name", name}});
  inputs.decide = [&around](const std::map<std::string, std::string>& asked) {
    return Roles(around, asked).decision();
  };
}

CelValue authorizer_function(const std::string& name, const std::vector<CelValue>& of,
                             const CelInputs& inputs) {
  const std::string& what = of[0].text;
  Parts parts = parts_of(of[0]);
  for (std::size_t i = 1; i < of.size(); ++i)
    if (of[i].is != CelValue::Is::text) throw CelFailed("no such overload");
  if (what == "decision" && of.size() == 1) {
    // Roles that are not there are no error of the decision.
    if (name == "allowed") return cel_boolean(parts["allowed"] == "true");
    if (name == "errored") return cel_boolean(false);
    if (name == "reason") return cel_text(parts["reason"]);
    if (name == "error") return cel_text("");
  }
  if ((what == "resource" || what == "path") && name == "check" && of.size() == 2) {
    parts["verb"] = of[1].text;
    const auto [is_allowed, reason] = inputs.decide(parts);
    return question("decision", {{"allowed", is_allowed ? "true" : "false"}, {"reason", reason}});
  }
  if (what == "authorizer" && name == "serviceAccount" && of.size() == 3) {
    if (!is_dns_label(of[1].text) || !is_dns_subdomain(of[2].text)) throw CelFailed("no service account");
    parts["user"] = std::string(kAccounts) + of[1].text + ":" + of[2].text;
    return question("authorizer", parts);
  }
  for (const Step& step : kSteps) {
    if (what != step.of || name != step.function || of.size() != 2) continue;
    const bool is_blank = of[1].text.find_first_not_of(" \t\n\r\v\f") == std::string::npos;
    if (is_blank && (name == "path" || name == "resource")) throw CelFailed(name + " must not be empty");
    parts[name] = of[1].text;
    return question(step.becomes, parts);
  }
  throw Unsupported("the function " + name + " of an authorizer");
}

}  // namespace fixpoint::oracle
