#include "harness/apiserver/admission/match.h"

#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Status;
using document::Text;

Match refuse(const document::Error& error) {
  return {.answer = Match::Answer::refused,
          .status = Status{.code = 500,
                           .reason = "InternalError",
                           .message = Text("Internal error occurred: {}").with({error.message})}};
}

Match judge_conditions(const ConfiguredWebhook& webhook, const Request& request, const Cluster& cluster,
                       const Value& object) {
  const cel::Activation variables = request_variables(request, cluster, object);
  long budget = kExpressionBudget;
  std::vector<std::string> errors;
  bool is_refused = false;
  for (const MatchCondition& condition : webhook.conditions) {
    Judged judged = evaluate(*condition.expression, variables, budget);
    is_refused = is_refused || judged.truth == Truth::no;
    if (judged.truth == Truth::exhausted) {
      errors = {std::move(judged.error)};
      is_refused = false;
      break;
    }
    if (judged.truth == Truth::error) errors.push_back(std::move(judged.error));
  }
  if (is_refused) return {};
  if (errors.empty()) return {.answer = Match::Answer::yes};
  if (webhook.ignores_failure) return {};
  const std::string name =
      request.object["metadata"]["name"].is_string() ? std::string(object["metadata"]["name"].text()) : "";
  return {
      .answer = Match::Answer::condition,
      .status = Status{
          .code = 403,
          .reason = "Forbidden",
          .message = Text("pods {} is forbidden: {}").with({document::go_quoted(name), aggregate(errors)})}};
}

}  // namespace

Match match(const ConfiguredWebhook& webhook, const Request& request, const Cluster& cluster,
            const Value& object) {
  // Selector errors are reported only if a rule matches and no selector excludes the request; the namespace's
  // come before the object's.
  if (!any_rule_matches(webhook.rules, request)) return {};
  const Result<bool> in_namespace = selects_namespace(webhook.namespace_selector, request, cluster),
                     selected = selects_object(webhook.object_selector, request, object);
  if ((in_namespace && !*in_namespace) || (selected && !*selected)) return {};
  if (!in_namespace) return refuse(in_namespace.error());
  if (!selected) return refuse(selected.error());
  if (webhook.conditions.empty()) return {.answer = Match::Answer::yes};
  return judge_conditions(webhook, request, cluster, object);
}

}  // namespace fixpoint::apiserver
