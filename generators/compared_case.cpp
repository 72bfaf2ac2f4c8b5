#include "generators/compared_case.h"

#include <string>
#include <utility>

namespace fixpoint::generators {

using document::Value;

Value compared_configuration(std::vector<Value> groups, std::vector<Value> resources) {
  const Value rule{{"apiGroups", Value(std::move(groups))},
                   {"apiVersions", Value::list({"*"})},
                   {"operations", Value::list({"CREATE", "UPDATE"})},
                   {"resources", Value(std::move(resources))},
                   {"scope", "*"}};
  return {
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", "MutatingWebhookConfiguration"},
      {"metadata", {{"name", "c"}}},
      {"webhooks", Value::list({Value{{"name", "w.example.io"},
                                      {"admissionReviewVersions", Value::list({"v1"})},
                                      {"sideEffects", "None"},
                                      {"failurePolicy", "Fail"},
                                      {"reinvocationPolicy", "IfNeeded"},
                                      {"matchPolicy", "Exact"},
                                      {"timeoutSeconds", 10},
                                      {"clientConfig", {{"service", {{"namespace", "d"}, {"name", "s"}}}}},
                                      {"rules", Value::list({rule})}}})}};
}

void put_compared_patch(cases::Case& value, const Value& patch) {
  auto script = cases::read_script(Value::list({Value{{"patch", patch}}}));
  if (script && !patch.empty()) value.webhooks[std::string(kComparedWebhook)] = *std::move(script);
}

}  // namespace fixpoint::generators
