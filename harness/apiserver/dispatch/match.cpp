#include "harness/apiserver/dispatch/match.h"

#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/matching/conditions.h"
#include "harness/apiserver/matching/expression.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/cases/request_user.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Status;
using document::Text;

Match refuse(const document::Error& error) {
  return {.answer = Match::Answer::refused, .status = internal_error(error.message)};
}

Match judge_conditions(const ConfiguredWebhook& webhook, const cases::Kind& kind, const Request& request,
                       const Cluster& cluster, const Value& object) {
  const cel::Activation variables = request_variables(request, cluster, object, kind);
  long budget = cel::kMatchConditionsCostMax;
  const ConditionsAnswer answer =
      apiserver::judge_conditions(webhook.conditions.size(), [&](std::size_t number) {
        return evaluate(*webhook.conditions[number].expression, variables, budget);
      });
  if (answer.matches) return {.answer = Match::Answer::yes, .kind = kind};
  if (answer.error.empty()) return {};
  if (webhook.ignores_failure) return {};
  const std::string_view name = cases::name_of(request);
  const std::string resource = kind.resource();
  const std::string what = name.empty() ? resource
      : Text("{} {}").with({resource, document::go_quoted(name)});
  return {.answer = Match::Answer::condition,
          .status = Status{.code = 403,
                           .reason = "Forbidden",
                           .message = Text("{} is forbidden: {}").with({what, answer.error})}};
}

}  // namespace

Match match(const ConfiguredWebhook& webhook, const Request& request, const Cluster& cluster,
            const Value& object) {
  // Selector errors are reported only if a rule matches and no selector excludes the request; the namespace's
  // come before the object's.
  const cases::Kind own = cases::kind_of(request, cluster);
  const auto selected_kind = selected_version(webhook.rules, own, request, webhook.exact);
  if (!selected_kind) return {};
  const cases::Kind& kind = *selected_kind;
  const Result<bool> in_namespace = selects_namespace(webhook.namespace_selector, kind, request, cluster),
                     selected = selects_object(webhook.object_selector, request, object);
  if ((in_namespace && !*in_namespace) || (selected && !*selected)) return {};
  if (!in_namespace) return refuse(in_namespace.error());
  if (!selected) return refuse(selected.error());
  if (webhook.conditions.empty()) return {.answer = Match::Answer::yes, .kind = kind};
  return judge_conditions(webhook, kind, request, cluster, object);
}

}  // namespace fixpoint::apiserver
