#include "harness/apiserver/admission/match.h"

#include <algorithm>

#include "harness/apiserver/admission/selector.h"
#include "harness/document/server_text.h"
#include "harness/webhooks/review.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Status;

bool is_empty_selector(const Value& selector) {
  return selector["matchLabels"].empty() && selector["matchExpressions"].empty();
}

/// The labels of the request's namespace, with the one that the server itself puts on every Namespace.
Value namespace_labels(const Request& request, const Cluster& cluster) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  Value labels = found == nullptr ? Value() : (*found)["metadata"]["labels"];
  if (!labels.is_object()) labels = {};  // a Case may hold an invalid Namespace
  labels.set("kubernetes.io/metadata.name", request.namespace_name);
  return labels;
}

Result<bool> selects_object(const Value& selector, const Request& request, const Value& object) {
  auto selected = selects(selector, object["metadata"]["labels"]);
  if (!selected || *selected || request.old_object.is_null()) return selected;
  return selects(selector, request.old_object["metadata"]["labels"]);
}

Match refuse(const document::Error& error) {
  return {.answer = Match::Answer::refused,
          .status = Status{.code = 500,
                           .reason = "InternalError",
                           .message = document::Text("Internal error occurred: {}").with({error.message})}};
}

/// metadata.name of the request: an UPDATE names the stored object.
std::string_view name_of(const Request& request, const Value& object) {
  return (request.is_update() ? request.old_object : object)["metadata"]["name"].text();
}

Match judge_conditions(const ConfiguredWebhook& webhook, const Request& request, const Value& object) {
  const ExpressionInput input{.object = object,
                              .old_object = request.old_object,
                              .request = webhooks::review_request(request, name_of(request, object), "")};
  long budget = kExpressionBudget;
  bool failed = false, refused = false;
  for (const MatchCondition& condition : webhook.conditions) {
    const Truth truth = evaluate(*condition.expression, input, budget);
    refused = refused || truth == Truth::no;
    failed = failed || truth == Truth::error;
    if (truth == Truth::exhausted) {
      failed = true;
      refused = false;
      break;
    }
  }
  if (refused) return {};
  if (!failed) return {.answer = Match::Answer::yes};
  if (webhook.ignores_failure) return {};
  std::string name =
      request.object["metadata"]["name"].is_string() ? std::string(object["metadata"]["name"].text()) : "";
  return {.answer = Match::Answer::condition,
          .status = Status{
              .code = 403,
              .reason = "Forbidden",
              .message = "pods \"" + name + "\" is forbidden: match condition error of " + webhook.name}};
}

}  // namespace

Match match(const ConfiguredWebhook& webhook, const Request& request, const Cluster& cluster,
            const Value& object) {
  // Selector errors are reported only if a rule matches and no selector excludes the request; the namespace's
  // come before the object's.
  const auto rules = webhook.rules.elements();
  const bool ruled = std::any_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return rule_matches(rule, request.operation, request.sub_resource);
  });
  if (!ruled) return {};
  Result<bool> in_namespace = true, selected = true;
  if (!is_empty_selector(webhook.namespace_selector)) {
    in_namespace = selects(webhook.namespace_selector, namespace_labels(request, cluster));
  }
  if (!is_empty_selector(webhook.object_selector)) {
    selected = selects_object(webhook.object_selector, request, object);
  }
  if ((in_namespace && !*in_namespace) || (selected && !*selected)) return {};
  if (!in_namespace) return refuse(in_namespace.error());
  if (!selected) return refuse(selected.error());
  if (webhook.conditions.empty()) return {.answer = Match::Answer::yes};
  return judge_conditions(webhook, request, object);
}

}  // namespace fixpoint::apiserver
