#include "harness/conformance/live_server.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/conformance/live_webhooks.h"
#include "harness/external/backends/served_webhook.h"

namespace fixpoint::conformance {

using document::Error;

void LiveServer::make_authority() {
  std::vector<std::string> names{options_.listen, "localhost"};
  if (!options_.name.empty()) names.push_back(options_.name);
  authority_ = webhooks::make_authority(names);
}

std::optional<Error> LiveServer::serve(const cases::Case& value) {
  std::set<std::string> wanted;
  for (const auto& [webhook, backend] : value.webhooks) wanted.insert(webhook);
  if (server_ && std::includes(served_.begin(), served_.end(), wanted.begin(), wanted.end()))
    return std::nullopt;
  served_.insert(wanted.begin(), wanted.end());
  std::map<std::string, webhooks::Server::Respond> all;
  for (const std::string& webhook : served_) {
    all.emplace(external::path_of(webhook),
                [this, webhook](const cases::Request& request, std::string_view name, std::string_view uid,
                                std::string_view review_version) {
                  return stage_.answer(webhook, request, name, uid, review_version);
                });
  }
  const auto probe = [&](const char* path, LiveStage::Phase phase) {
    all.emplace(path,
                [this, phase](const cases::Request&, std::string_view, std::string_view, std::string_view) {
                  stage_.probed(phase);
                  return webhooks::allow();
                });
  };
  probe(kMutatingProbe, LiveStage::Phase::mutating);
  probe(kValidatingProbe, LiveStage::Phase::validating);
  server_.reset();
  auto started = webhooks::Server::start(
      {.host = options_.listen, .port = options_.port, .identity = authority_.server}, std::move(all));
  if (!started) return std::move(started).error();
  server_ = *std::move(started);
  return std::nullopt;
}

std::string LiveServer::base() const {
  return "https://" + (options_.name.empty() ? options_.listen : options_.name) + ":" +
         std::to_string(server_->port());
}

}  // namespace fixpoint::conformance
