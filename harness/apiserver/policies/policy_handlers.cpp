#include "harness/apiserver/policies/policy_handlers.h"

#include "harness/apiserver/policies/policy_plugin.h"
#include "harness/cases/minors.h"

namespace fixpoint::apiserver::policies {

namespace {

webhooks::Answer answer_of(const Policy& policy, const webhooks::Call& call) {
  static const Limits kLimits;
  cases::Request request = call.request;
  request.old_object = call.old_object;
  const int minor = cases::minor_of(call.cluster);
  PolicyPlugin plugin({policy}, request, call.cluster, minor, kLimits);
  PolicyObject object{call.object, {}};
  if (const auto refusal = plugin.admit(object, 1)) return webhooks::fail(refusal->message, refusal->message);
  if (object.pod.same(call.object) || object.pod == call.object) return webhooks::allow();
  return webhooks::allow_change(call.object, std::move(object.pod));
}

}  // namespace

std::string key_of(const Policy& policy, const Value& binding) {
  return policy.name + "/" + std::string(binding["metadata"]["name"].text());
}

void add_policy_handlers(const cases::Cluster& cluster, std::map<std::string, webhooks::Handler>& handlers) {
  auto all = read_policies(cluster);
  if (!all) return;  // the admission says why
  for (const Policy& policy : *all) {
    for (const Value& binding : policy.bindings) {
      Policy bound = policy;
      bound.bindings = {binding};
      handlers.insert_or_assign(key_of(policy, binding),
                                [bound](const webhooks::Call& call) { return answer_of(bound, call); });
    }
  }
}

}  // namespace fixpoint::apiserver::policies
