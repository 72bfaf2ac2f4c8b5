#include "harness/runner/lone_call.h"

#include <utility>
#include <vector>

#include "harness/apiserver/registry/registry.h"

namespace fixpoint::runner {

using document::Value;

cases::Request harmless_request(const std::string& namespace_name, const cases::Kind& kind) {
  if (!kind.is_pod()) {
    return {.namespace_name = namespace_name,
            .object = {{"apiVersion", kind.api_version()},
                       {"kind", kind.name},
                       {"metadata", {{"name", "harmless"}}},
                       {"spec", Value::empty_object()}}};
  }
  Value container{{"name", "app"}, {"image", "registry.example.io/app:1"}};
  Value spec = Value::empty_object();
  spec.set("containers", Value(std::vector<Value>{std::move(container)}));
  cases::Request request;
  request.namespace_name = namespace_name;
  request.object = {{"metadata", {{"name", "harmless"}}}, {"spec", std::move(spec)}};
  return request;
}

std::optional<apiserver::CallResult> call_alone(const apiserver::ConfiguredWebhook& webhook,
                                                const webhooks::Handler& handler,
                                                const cases::Request& request, const cases::Cluster& cluster,
                                                const Limits& limits) {
  const int minor = cases::minor_of(cluster);
  const auto received = apiserver::receive(request, cluster, minor);
  if (!received) return std::nullopt;
  return apiserver::call_webhook(webhook, handler,
                                 {.request = request,
                                  .cluster = cluster,
                                  .object = received->object,
                                  .minor = minor,
                                  .name = received->object["metadata"]["name"].text()},
                                 limits);
}

bool is_review(const webhooks::Answer& answer) {
  return answer.problem.empty() && answer.has_response && answer.kind == "AdmissionReview";
}

}  // namespace fixpoint::runner
