#include "injectors/peers/peer_subject.h"

namespace fixpoint::injectors::peers {

using document::Value;

runner::Subject peer_subject(const char* name, const char* configuration, const char* webhook) {
  runner::Subject subject;
  subject.name = name;
  subject.configuration = {
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", "MutatingWebhookConfiguration"},
      {"metadata", {{"name", configuration}}},
      {"webhooks",
       Value::list({Value{{"name", webhook},
                          {"admissionReviewVersions", Value::list({"v1"})},
                          {"sideEffects", "None"},
                          {"reinvocationPolicy", "IfNeeded"},
                          {"rules", Value::list({Value{{"apiGroups", Value::list({""})},
                                                       {"apiVersions", Value::list({"v1"})},
                                                       {"operations", Value::list({"CREATE"})},
                                                       {"resources", Value::list({"pods"})}}})}}})}};
  subject.webhooks = {{std::string(configuration) + "/" + webhook, cases::InjectorName{name}}};
  return subject;
}

}  // namespace fixpoint::injectors::peers
