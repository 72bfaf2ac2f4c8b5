#include "harness/apiserver/admission/policy_handlers.h"

#include "harness/apiserver/policies/policy_plugin.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/minors.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;
using policies::Policy;

webhooks::Answer answer_of(const Policy& policy, const webhooks::Call& call) {
  static const Limits kLimits;
  cases::Request request = call.request;
  request.old_object = call.old_object;
  const int minor = cases::minor_of(call.cluster);
  policies::PolicyPlugin plugin({policy}, request, call.cluster, strategy_of(request, call.cluster), minor,
                                kLimits);
  policies::PolicyObject object{call.object, {}};
  if (const auto refusal = plugin.admit(object, 1)) return webhooks::fail(refusal->message, refusal->message);
  if (object.object.same(call.object) || object.object == call.object) return webhooks::allow();
  return webhooks::allow_change(call.object, std::move(object.object));
}

}  // namespace

void add_policy_handlers(const cases::Cluster& cluster, std::map<std::string, webhooks::Handler>& handlers) {
  auto all = policies::read_policies(cluster);
  if (!all) return;  // the admission says why
  for (const Policy& policy : *all) {
    for (const Value& binding : policy.bindings) {
      Policy bound = policy;
      bound.bindings = {binding};
      handlers.insert_or_assign(policies::key_of(policy, binding),
                                [bound](const webhooks::Call& call) { return answer_of(bound, call); });
    }
  }
}

}  // namespace fixpoint::apiserver
