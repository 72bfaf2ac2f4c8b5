#include "harness/external/backends/served_webhook.h"

#include <atomic>

#include "harness/document/base64.h"

namespace fixpoint::external {

using document::Value;

std::string path_of(const std::string& webhook) { return "/" + webhook; }

webhooks::Server::Respond respond_with(webhooks::Handler handler, std::string webhook,
                                       std::shared_ptr<const cases::Cluster> cluster) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  return [handler = std::move(handler), webhook = std::move(webhook), cluster = std::move(cluster),
          calls = std::move(calls)](const cases::Request& request, std::string_view name,
                                    std::string_view uid, std::string_view version) {
    return handler({.object = request.object,
                    .old_object = request.old_object,
                    .request = request,
                    .cluster = *cluster,
                    .webhook = webhook,
                    .review_version = version,
                    .uid = uid,
                    .name = name,
                    .number = ++*calls});
  };
}

Value configuration_of(const runner::Subject& subject, const std::string& base, const std::string& service,
                       const std::string& authority_pem) {
  Value configuration = subject.configuration;
  const std::string name(configuration["metadata"]["name"].text());
  for (Value& webhook : configuration.edit("webhooks").edit_elements()) {
    const std::string path = path_of(name + "/" + std::string(webhook["name"].text()));
    Value client{{"caBundle", document::encode_base64(authority_pem)}};
    if (service.empty()) {
      client.set("url", base + path);
    } else {
      const auto slash = service.find('/');
      client.set(
          "service",
          {{"namespace", service.substr(0, slash)}, {"name", service.substr(slash + 1)}, {"path", path}});
    }
    webhook.set("clientConfig", client);
  }
  return configuration;
}

}  // namespace fixpoint::external
