#pragma once

#include <utility>

#include "harness/cases/case.h"
#include "harness/document/json.h"

namespace fixpoint::properties {

/// A Case whose only webhook is called when needed, without plugins and field tracking: what a property says
/// of it is the webhook's doing.
inline cases::Case of_one_webhook(cases::Backend backend, const char* pod) {
  cases::Case value;
  value.request.object = document::read_json(pod).value();
  value.cluster.admission_plugins.clear();
  value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None","reinvocationPolicy":"IfNeeded",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["pods"]}]}]})")
                               .value()};
  value.webhooks.emplace("c/a.b.c", std::move(backend));
  return value;
}

}  // namespace fixpoint::properties
