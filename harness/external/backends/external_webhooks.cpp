#include "harness/external/backends/external_webhooks.h"

#include <utility>

#include "harness/document/base64.h"
#include "harness/document/document_stream.h"
#include "harness/document/named_limits.h"
#include "harness/document/pointer.h"
#include "harness/external/backends/backend_handlers.h"
#include "harness/external/backends/backend_names.h"
#include "harness/webhooks/https.h"

namespace fixpoint::external {

using cases::Backend;
using document::Error;
using document::Result;
using document::Value;

namespace {

/// Returns the text of a file that was named on the command line; an empty name gives an empty text.
Result<std::string> text_of(const std::string& path) {
  return path.empty() ? Result<std::string>(std::string()) : document::read_text_file(path);
}

}  // namespace

struct ExternalWebhooks::Hidden {
  Hidden(const ExternalOptions& given, const Limits& bounds, Bundled own, std::string ca_bundle,
         BackendHandlers::Client client)
      : options(given),
        limits(bounds),
        bundled(std::move(own)),
        names(options, std::move(ca_bundle)),
        handlers(options, limits, names, std::move(client)) {}

  const ExternalOptions options;
  const Limits limits;
  const Bundled bundled;
  BackendNames names;
  BackendHandlers handlers;
};

ExternalWebhooks::ExternalWebhooks(Bundled bundled)
    : hidden_(std::make_shared<Hidden>(ExternalOptions(), Limits(), std::move(bundled), "",
                                       BackendHandlers::Client())) {}

Result<ExternalWebhooks> ExternalWebhooks::of(const ExternalOptions& options, Bundled bundled) {
  auto limits = document::limits_of(options.limits);
  if (!limits) return std::move(limits).error();
  if (options.debugs) limits->call_milliseconds_max = kDebugSeconds * 1000;
  auto ca = text_of(options.ca), certificate = text_of(options.client_certificate),
       key = text_of(options.client_key);
  for (const auto* text : {&ca, &certificate, &key})
    if (!*text) return text->error();
  if (certificate->empty() != key->empty())
    return Error{"--client-cert and --client-key: expected both or neither"};
  ExternalWebhooks outside(Bundled{});
  outside.hidden_ =
      std::make_shared<Hidden>(options, *limits, std::move(bundled), document::encode_base64(*ca),
                               BackendHandlers::Client{*std::move(certificate), *std::move(key)});
  Hidden& hidden = *outside.hidden_;
  if (!options.kubeconfig_out.empty()) {
    if (auto problem = hidden.handlers.clusters().share(options.kubeconfig_out)) return *std::move(problem);
  }
  for (const std::string& service : options.services)
    if (auto problem = hidden.names.add_service(service)) return *std::move(problem);
  for (const std::string& webhook : options.webhooks) {
    const auto backend = hidden.names.add_webhook(webhook);
    if (!backend) return backend.error();
    if (auto handler = hidden.handlers.reach(*backend); !handler)
      return std::move(handler).error().within("--webhook " + webhook.substr(0, webhook.find('=')));
  }
  return outside;
}

webhooks::Resolve ExternalWebhooks::resolve() const {
  webhooks::Resolve resolve = hidden_->bundled.resolve;
  resolve.skipped_calls = CallMonitor::skipped_calls;
  resolve.pause = CallMonitor::pause;
  resolve.made = CallMonitor::made;
  resolve.outside = [hidden = hidden_](const Backend& backend) { return hidden->handlers.reach(backend); };
  resolve.replica = [hidden = hidden_](const Backend& backend) {
    return hidden->handlers.reach_replica(backend);
  };
  resolve.anew = [*this] { return resolve_anew(); };
  resolve.anew_beside = [*this] { return resolve_anew(Company::others); };
  return resolve;
}

webhooks::Resolve ExternalWebhooks::resolve_anew(Company company) const {
  webhooks::Resolve resolve = this->resolve();
  const auto first = std::make_shared<BackendHandlers::Processes>(),
             second = std::make_shared<BackendHandlers::Processes>();
  const auto patience = std::make_shared<BackendHandlers::Patience>();
  resolve.outside = [hidden = hidden_, first, patience, company](const Backend& backend) {
    auto handler = hidden->handlers.reach_anew(backend, *first);
    if (handler) return Result<webhooks::Handler>(*std::move(handler));
    auto known = hidden->handlers.reach(backend);
    return known && company == Company::alone
               ? Result<webhooks::Handler>(hidden->handlers.patient_at_first(*std::move(known), patience))
               : known;
  };
  resolve.replica = [hidden = hidden_, second](const Backend& backend) {
    return hidden->handlers.reach_anew(backend, *second);
  };
  return resolve;
}

webhooks::Resolve ExternalWebhooks::resolve_with(std::vector<std::string> environment) const {
  webhooks::Resolve resolve = this->resolve();
  resolve.outside = [hidden = hidden_, environment = std::move(environment),
                     own = std::make_shared<BackendHandlers::Processes>()](const Backend& backend) {
    auto handler = hidden->handlers.reach_anew(backend, *own, environment);
    return handler ? Result<webhooks::Handler>(*std::move(handler)) : hidden->handlers.reach(backend);
  };
  return resolve;
}

Result<cases::Case> ExternalWebhooks::admit(cases::Case value) const {
  for (auto& [name, backend] : value.webhooks) {
    if (auto said = named(name)) {
      backend = *std::move(said);
      continue;
    }
    if (auto of_file = hidden_->names.of_file(name)) {
      backend = *std::move(of_file);
      continue;
    }
    if (!is_external(backend)) continue;
    const std::string place = "/webhooks/" + document::escape_token(name) + "/";
    if (auto refusal = hidden_->names.refusal_of(backend))
      return Error{refusal->message, place + refusal->place};
    if (!std::holds_alternative<cases::Url>(backend)) continue;
    if (auto handler = hidden_->handlers.reach(backend); !handler)
      return std::move(handler).error().within("/webhooks/" + document::escape_token(name));
  }
  if (auto problem = await_start(value.cluster)) return *std::move(problem);
  return value;
}

Result<cases::Finding> ExternalWebhooks::admit(cases::Finding finding) const {
  auto value = admit(std::move(finding.value));
  if (!value) return std::move(value).error().within("/case");
  finding.value = *std::move(value);
  for (std::size_t i = 0; i < finding.before.size(); ++i) {
    auto earlier = admit(std::move(finding.before[i]));
    if (!earlier) return std::move(earlier).error().within("/before/" + std::to_string(i));
    finding.before[i] = *std::move(earlier);
  }
  return finding;
}

std::optional<Backend> ExternalWebhooks::named(const std::string& webhook) const {
  return hidden_->names.named(webhook);
}
Backend ExternalWebhooks::of_url(const std::string& url, const std::string& ca_bundle) const {
  return hidden_->names.of_url(url, ca_bundle);
}
std::optional<Backend> ExternalWebhooks::of_service(const Value& service) const {
  return hidden_->names.of_service(service);
}
std::optional<Error> ExternalWebhooks::allow_subject(const std::string& webhook, const Backend& backend,
                                                     NamedBy named_by) const {
  return hidden_->names.allow_subject(webhook, backend, named_by);
}
std::vector<std::string> ExternalWebhooks::unmet() const { return hidden_->names.unmet(); }
std::string ExternalWebhooks::flags_to_replay(const cases::Case& value) const {
  return hidden_->names.flags_to_replay(value);
}

std::string ExternalWebhooks::account() const { return hidden_->handlers.account(); }
Result<webhooks::Handler> ExternalWebhooks::apart(const Backend& backend,
                                                  std::shared_ptr<webhooks::ProcessTally> tally) const {
  return hidden_->handlers.apart(backend, std::move(tally));
}
std::optional<Error> ExternalWebhooks::await_start(const cases::Cluster& cluster) const {
  return hidden_->handlers.await_start(cluster);
}
void ExternalWebhooks::call_one_by_one() const { hidden_->handlers.call_one_by_one(); }
bool ExternalWebhooks::has_shared_cluster() const { return hidden_->handlers.clusters().is_shared(); }
CallMonitor& ExternalWebhooks::monitor() const { return hidden_->handlers.monitor(); }
Result<webhooks::Handler> ExternalWebhooks::over_another_connection(const cases::Url& url) const {
  return webhooks::https(hidden_->handlers.https_options(url));
}

const ExternalOptions& ExternalWebhooks::options() const { return hidden_->options; }
const Bundled& ExternalWebhooks::bundled() const { return hidden_->bundled; }
const Limits& ExternalWebhooks::limits() const { return hidden_->limits; }
int ExternalWebhooks::connections(int jobs) const {
  if (options().connections > 0) return options().connections;
  return jobs > 1 || has_shared_cluster() ? kConnections : 1;
}

}  // namespace fixpoint::external
