#include "harness/external/backends/external_webhooks.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "harness/cases/replay_flags.h"
#include "harness/document/base64.h"
#include "harness/document/document_stream.h"
#include "harness/document/named_limits.h"
#include "harness/document/pointer.h"
#include "harness/external/backends/command_text.h"
#include "harness/external/backends/process_account.h"
#include "harness/external/backends/reachable.h"
#include "harness/external/backends/webhook_clusters.h"
#include "harness/webhooks/https.h"
#include "harness/webhooks/process.h"
#include "harness/webhooks/supervisor.h"

namespace fixpoint::external {

namespace {

using cases::Backend;
using document::Error;
using document::Result;
using document::Value;
using Tallies = std::map<std::vector<std::string>, std::shared_ptr<webhooks::ProcessTally>>;
/// The calls of a replica, and of one that takes longer than kSlowStart to start and answer the first.
constexpr int kCallsOfAReplica = 16, kCallsOfASlowReplica = 256;
constexpr std::chrono::milliseconds kSlowStart{100};
/// The timeout of a call that somebody debugs.
constexpr int kDebugSeconds = 24 * 60 * 60;
using Processes = std::map<std::vector<std::string>, webhooks::Handler>;  ///< keyed by the command

/// Returns the text of a file that was named on the command line; an empty name gives an empty text.
Result<std::string> text_of(const std::string& path) {
  return path.empty() ? Result<std::string>(std::string()) : document::read_text_file(path);
}

/// Returns the host name under which the API server calls a service (ClientManager.HookClient).
std::string host_of(std::string_view namespace_name, std::string_view name) {
  return std::string(name).append(".").append(namespace_name).append(".svc");
}

/// Splits LEFT=RIGHT; neither side may be empty.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + 1));
}

}  // namespace

bool is_external(const Backend& backend) {
  return std::holds_alternative<cases::Url>(backend) || std::holds_alternative<cases::Command>(backend);
}

struct ExternalWebhooks::Hidden {
  std::string ca_bundle = {};  ///< base64, as in a webhook configuration
  std::string client_certificate = {}, client_key = {};
  bool allow_exec = false, allow_remote = false;
  Limits limits = {};
  bool debugs = false, assumes_conditions = false, has_clean_environment = false;
  std::vector<std::string> code = {};
  int wait_seconds = kStartSecondsMax, connections = 0;
  Bundled bundled = {};
  std::shared_ptr<WebhookClusters> clusters = std::make_shared<WebhookClusters>(Limits());
  CallMonitor monitor = {};
  std::string subjects_file = {}, webhooks_file = {};
  std::map<std::string, Backend> webhooks = {};           ///< of `--webhook`, by the given name
  std::map<std::string, Backend> webhooks_of_files = {};  ///< of Subject files, by <configuration>/<webhook>
  std::map<std::string, std::string> services = {};       ///< maps NAME.NAMESPACE.svc to HOST:PORT

  std::mutex mutex = {};
  std::set<std::string> met = {};
  std::map<std::pair<std::string, std::string>, webhooks::Handler> urls = {};
  Processes commands = {}, replicas = {};  ///< of the run; replicas are used only to compare two processes
  Tallies tallies = {};

  /// Returns the address to which `--service` redirects this URL; empty if there is none.
  std::string connection_to(const std::string& url) const {
    constexpr std::string_view kScheme = "https://";
    if (!url.starts_with(kScheme)) return "";
    const auto end = url.find_first_of(":/", kScheme.size());
    const auto found = services.find(url.substr(kScheme.size(), end - kScheme.size()));
    return found == services.end() ? "" : found->second;
  }

  bool is_named(const Backend& backend) const {
    const auto is_it = [&](const auto& named) { return named.second == backend; };
    return std::any_of(webhooks.begin(), webhooks.end(), is_it) ||
           std::any_of(webhooks_of_files.begin(), webhooks_of_files.end(), is_it);
  }
  /// Returns an error if a file names a backend that the flags do not allow.
  std::optional<Error> refusal_of(const Backend& backend) const {
    if (std::holds_alternative<cases::Command>(backend) && !allow_exec)
      return Error{"a command that a file names runs only with --allow-exec", "exec"};
    const auto* url = std::get_if<cases::Url>(&backend);
    if (url != nullptr && !allow_remote && connection_to(url->url).empty())
      return Error{"a URL that a file names is called only with --allow-remote", "url"};
    return std::nullopt;
  }

  /// Wraps the handler of an external webhook for the run.
  webhooks::Handler observed(webhooks::Handler inner) { return monitor.monitored(patient(std::move(inner))); }
  webhooks::Handler patient(webhooks::Handler inner) const {
    if (!debugs) return inner;
    return [inner = std::move(inner)](const webhooks::Call& call) {
      webhooks::Call patient = call;
      patient.timeout_seconds = kDebugSeconds;
      return inner(patient);
    };
  }
  /// The start of a webhook that reads the shared cluster.
  struct Start {
    std::once_flag once = {};
    std::optional<Error> problem = {};
  };
  std::map<std::string, std::shared_ptr<Start>> starts = {};  ///< by the address that is connected to

  static void await(Start& start, const std::string& address, int seconds_max) {
    std::call_once(start.once, [&] { start.problem = wait_until_reachable(address, seconds_max); });
  }
  /// Wraps the handler of a URL that reads the shared cluster: before its first call the webhook has time to
  /// start.
  webhooks::Handler started_at_first(webhooks::Handler inner, const std::string& address) {
    if (!clusters->is_shared()) return inner;
    auto& start = starts[address];
    if (start == nullptr) start = std::make_shared<Start>();
    return [inner = std::move(inner), address, clusters = clusters, start,
            seconds = wait_seconds](const webhooks::Call& call) {
      await(*start, address, seconds);
      return start->problem ? webhooks::fail("connection refused: " + start->problem->text()) : inner(call);
    };
  }
  /// The calls of one confirmation to webhooks behind URLs, which cannot be started anew.
  struct Patience {
    std::once_flag first = {};
    std::shared_ptr<void> alone = {};  ///< from the first call on, no others are made
  };
  /// Wraps the handler of a URL: before the first call the cluster stands still.
  webhooks::Handler patient_at_first(webhooks::Handler inner, std::shared_ptr<Patience> patience) {
    return [inner = std::move(inner), patience = std::move(patience),
            clusters = clusters](const webhooks::Call& call) {
      std::call_once(patience->first, [&] { patience->alone = clusters->stand_still(call); });
      return inner(call);
    };
  }
  webhooks::MakeProcessCluster cluster_of_process() const {
    return [clusters = clusters, inherits = !has_clean_environment] {
      auto made = clusters->make();
      if (made) made->inherits_environment = inherits;
      return made;
    };
  }

  webhooks::HttpsOptions https_options(const cases::Url& url) const {
    return {.url = url.url,
            .connect_to = connection_to(url.url),
            .ca_bundle = url.ca_bundle.empty() ? ca_bundle : url.ca_bundle,
            .client_certificate = client_certificate,
            .client_key = client_key,
            .allow_remote = allow_remote,
            .limits = limits};
  }
  Result<webhooks::Handler> reach(const cases::Url& url) {
    const auto key = std::pair(url.url, url.ca_bundle);
    if (const auto known = urls.find(key); known != urls.end()) return known->second;
    auto handler = webhooks::https(https_options(url));
    if (!handler) return handler;
    const std::string service = connection_to(url.url);
    // The time of a call is that of the webhook, without the wait for its cluster.
    auto sharing = clusters->sharing(monitor.timed(patient(*std::move(handler))));
    auto started = started_at_first(monitor.unless_over(std::move(sharing)),
                                    service.empty() ? url.url : "https://" + service);
    return urls.emplace(key, std::move(started)).first->second;
  }
  /// Returns a second process of a command, which is replaced after every kCallsOfAReplica calls: it differs
  /// from the first process in what it remembers of its first requests.
  webhooks::Handler replica_of(const cases::Command& command) {
    if (const auto known = replicas.find(command.argv); known != replicas.end()) return known->second;
    struct Current {
      std::mutex mutex = {};
      webhooks::Handler handler = {};
      int calls = 0, calls_max = kCallsOfAReplica;
    };
    webhooks::Handler handler = [this, argv = command.argv,
                                 current = std::make_shared<Current>()](const webhooks::Call& call) {
      webhooks::Handler process;
      bool is_first = false;
      {
        const std::lock_guard lock(current->mutex);
        is_first = current->calls++ % current->calls_max == 0;
        if (is_first) current->handler = observed(webhooks::process(argv, limits, {}, cluster_of_process()));
        process = current->handler;
      }
      const auto begin = std::chrono::steady_clock::now();
      webhooks::Answer answer = process(call);
      if (is_first && std::chrono::steady_clock::now() - begin > kSlowStart) {
        const std::lock_guard lock(current->mutex);
        current->calls_max = kCallsOfASlowReplica;
      }
      return answer;
    };
    return replicas.emplace(command.argv, std::move(handler)).first->second;
  }

  /// Returns the handler of a command in `among`, and starts one if there is none. The tally, if any, counts
  /// its processes.
  webhooks::Handler reach(const cases::Command& command, Processes& among,
                          std::shared_ptr<webhooks::ProcessTally> tally = {}) {
    if (const auto known = among.find(command.argv); known != among.end()) return known->second;
    auto handler = observed(webhooks::process(command.argv, limits, std::move(tally), cluster_of_process()));
    return among.emplace(command.argv, std::move(handler)).first->second;
  }
  Result<webhooks::Handler> reach(const Backend& backend) {
    const std::lock_guard lock(mutex);
    return reach_outside(backend);
  }
  Result<webhooks::Handler> reach_outside(const Backend& backend) {
    if (!is_named(backend)) {
      if (auto refusal = refusal_of(backend)) return *std::move(refusal);
    }
    if (const auto* url = std::get_if<cases::Url>(&backend)) return reach(*url);
    const auto& command = std::get<cases::Command>(backend);
    auto& tally = tallies[command.argv];
    if (tally == nullptr) tally = std::make_shared<webhooks::ProcessTally>();
    return reach(command, commands, tally);
  }
  /// Returns the command of a backend if it has one that may be run; else nullptr.
  const cases::Command* command_of(const Backend& backend) const {
    const auto* command = std::get_if<cases::Command>(&backend);
    return command == nullptr || (!is_named(backend) && refusal_of(backend)) ? nullptr : command;
  }
  std::optional<webhooks::Handler> reach_replica(const Backend& backend) {
    const std::lock_guard lock(mutex);
    const auto* command = command_of(backend);
    return command == nullptr ? std::nullopt : std::optional(replica_of(*command));
  }
  std::optional<webhooks::Handler> reach_anew(const Backend& backend, Processes& among) {
    const std::lock_guard lock(mutex);
    const auto* command = command_of(backend);
    return command == nullptr ? std::nullopt : std::optional(reach(*command, among));
  }
};

ExternalWebhooks::ExternalWebhooks(Bundled bundled) : hidden_(std::make_shared<Hidden>()) {
  hidden_->bundled = std::move(bundled);
}

Result<ExternalWebhooks> ExternalWebhooks::of(const ExternalOptions& options, Bundled bundled) {
  ExternalWebhooks outside(std::move(bundled));
  Hidden& hidden = *outside.hidden_;
  hidden.allow_exec = options.allow_exec;
  hidden.allow_remote = options.allow_remote;
  auto limits = document::limits_of(options.limits);
  if (!limits) return std::move(limits).error();
  hidden.limits = *limits;
  hidden.debugs = options.debugs;
  hidden.assumes_conditions = options.assumes_conditions;
  hidden.code = options.code;
  hidden.has_clean_environment = options.has_clean_environment;
  hidden.wait_seconds = options.wait_seconds;
  hidden.connections = options.connections;
  if (options.debugs) hidden.limits.call_milliseconds_max = kDebugSeconds * 1000;
  hidden.monitor.limit_calls(hidden.limits.call_milliseconds_max);
  hidden.clusters = std::make_shared<WebhookClusters>(hidden.limits);
  if (!options.kubeconfig_out.empty()) {
    if (auto problem = hidden.clusters->share(options.kubeconfig_out)) return *std::move(problem);
  }
  hidden.subjects_file = options.subjects_file;
  hidden.webhooks_file = options.webhooks_file;
  auto ca = text_of(options.ca), certificate = text_of(options.client_certificate),
       key = text_of(options.client_key);
  for (const auto* text : {&ca, &certificate, &key})
    if (!*text) return text->error();
  if (certificate->empty() != key->empty())
    return Error{"--client-cert and --client-key: expected both or neither"};
  hidden.ca_bundle = document::encode_base64(*ca);
  hidden.client_certificate = *std::move(certificate);
  hidden.client_key = *std::move(key);
  for (const std::string& service : options.services) {
    if (!options.webhooks_file.empty() && !options.allow_remote)
      return Error{"a service that a file names is called only with --allow-remote", options.webhooks_file};
    const auto parts = split(service);
    const auto slash = parts ? parts->first.find('/') : std::string::npos;
    if (slash == std::string::npos) return Error{"expected NAMESPACE/NAME=URL", "--service " + service};
    const auto at = webhooks::host_and_port(parts->second);
    if (!at)
      return Error{"expected an https URL without a path: the configuration says that",
                   "--service " + service};
    hidden.services.insert_or_assign(host_of(parts->first.substr(0, slash), parts->first.substr(slash + 1)),
                                     *at);
  }
  for (const std::string& webhook : options.webhooks) {
    const auto parts = split(webhook);
    if (!parts) return Error{"expected NAME=URL or NAME=exec:CMD", "--webhook " + webhook};
    Backend backend = outside.of_url(parts->second, "");
    if (parts->second.starts_with("exec:")) {
      auto command = command_of(parts->second.substr(5));
      if (!command) return std::move(command).error().within("--webhook " + webhook);
      backend = *std::move(command);
    }
    if (!options.webhooks_file.empty()) {
      if (auto refusal = hidden.refusal_of(backend))
        return std::move(*refusal).within("--webhook " + parts->first).within(options.webhooks_file);
    }
    if (!hidden.webhooks.emplace(parts->first, backend).second)
      return Error{"given twice: one backend answers behind a webhook; leave one out",
                   "--webhook " + parts->first};
    if (auto handler = hidden.reach(backend); !handler)
      return std::move(handler).error().within("--webhook " + parts->first);
  }
  return outside;
}

webhooks::Resolve ExternalWebhooks::resolve() const {
  webhooks::Resolve resolve = hidden_->bundled.resolve;
  resolve.skipped_calls = CallMonitor::skipped_calls;
  resolve.made = CallMonitor::made;
  resolve.outside = [hidden = hidden_](const Backend& backend) { return hidden->reach(backend); };
  resolve.replica = [hidden = hidden_](const Backend& backend) { return hidden->reach_replica(backend); };
  resolve.anew = [*this] { return resolve_anew(); };
  resolve.anew_beside = [*this] { return resolve_anew(Company::others); };
  return resolve;
}

webhooks::Resolve ExternalWebhooks::resolve_anew(Company company) const {
  webhooks::Resolve resolve = this->resolve();
  const auto first = std::make_shared<Processes>(), second = std::make_shared<Processes>();
  const auto patience = std::make_shared<Hidden::Patience>();
  resolve.outside = [hidden = hidden_, first, patience, company](const Backend& backend) {
    auto handler = hidden->reach_anew(backend, *first);
    if (handler) return Result<webhooks::Handler>(*std::move(handler));
    auto known = hidden->reach(backend);
    return known && company == Company::alone
               ? Result<webhooks::Handler>(hidden->patient_at_first(*std::move(known), patience))
               : known;
  };
  resolve.replica = [hidden = hidden_, second](const Backend& backend) {
    return hidden->reach_anew(backend, *second);
  };
  return resolve;
}

std::optional<Backend> ExternalWebhooks::named(const std::string& webhook) const {
  for (const std::string& name : {webhook, webhook.substr(webhook.find('/') + 1)}) {
    const auto found = hidden_->webhooks.find(name);
    if (found == hidden_->webhooks.end()) continue;
    hidden_->met.insert(name);
    return found->second;
  }
  return std::nullopt;
}

Backend ExternalWebhooks::of_url(const std::string& url, const std::string& ca_bundle) const {
  return cases::Url{.url = url, .ca_bundle = hidden_->ca_bundle.empty() ? ca_bundle : hidden_->ca_bundle};
}

std::optional<Backend> ExternalWebhooks::of_service(const Value& service) const {
  const std::string host = host_of(service["namespace"].text(), service["name"].text());
  if (!hidden_->services.contains(host)) return std::nullopt;
  const std::string path(service["path"].text());
  return of_url("https://" + host + (path.empty() || path.starts_with('/') ? "" : "/") + path, "");
}

std::optional<Error> ExternalWebhooks::allow_subject(const std::string& webhook, const Backend& backend,
                                                     NamedBy named_by) const {
  if (named(webhook)) return std::nullopt;
  if (is_external(backend) && (named_by == NamedBy::document_of_a_chart || !hidden_->subjects_file.empty())) {
    auto refusal = hidden_->refusal_of(backend);
    if (refusal && hidden_->subjects_file.empty())
      refusal->message += ", or if the command line names a file that holds Subjects alone";
    if (refusal) return refusal;
  }
  const std::lock_guard lock(hidden_->mutex);
  hidden_->webhooks_of_files.insert_or_assign(webhook, backend);
  return std::nullopt;
}

Result<cases::Case> ExternalWebhooks::admit(cases::Case value) const {
  for (auto& [name, backend] : value.webhooks) {
    if (auto said = named(name)) {
      backend = *std::move(said);
      continue;
    }
    if (const auto of_file = hidden_->webhooks_of_files.find(name);
        of_file != hidden_->webhooks_of_files.end()) {
      backend = of_file->second;
      continue;
    }
    if (!is_external(backend)) continue;
    const std::string place = "/webhooks/" + document::escape_token(name) + "/";
    if (auto refusal = hidden_->refusal_of(backend)) return Error{refusal->message, place + refusal->place};
    if (!std::holds_alternative<cases::Url>(backend)) continue;
    if (auto handler = hidden_->reach(backend); !handler)
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

std::vector<std::string> ExternalWebhooks::unmet() const {
  std::vector<std::string> names;
  for (const auto& [name, backend] : hidden_->webhooks) {
    if (!hidden_->met.contains(name)) names.push_back(name);
  }
  return names;
}

std::string ExternalWebhooks::account() const {
  const std::lock_guard lock(hidden_->mutex);
  std::string text;
  for (const auto& [argv, tally] : hidden_->tallies)
    if (const std::string lines = account_of(argv.front(), *tally); text.find(lines) == text.npos)
      text += lines;
  if (const auto lost = webhooks::supervisors_lost(); lost > 0) {
    text += "exec: the supervisor of the processes was killed " + std::to_string(lost) +
            " times, and the processes with it; it was started again\n";
  }
  return text;
}

Result<webhooks::Handler> ExternalWebhooks::apart(const Backend& backend,
                                                  std::shared_ptr<webhooks::ProcessTally> tally) const {
  const std::lock_guard lock(hidden_->mutex);
  const auto* command = hidden_->command_of(backend);
  if (command == nullptr) return hidden_->reach_outside(backend);
  auto named = command->argv;
  named.emplace_back();  // not the processes of the run
  hidden_->tallies[named] = tally;
  return hidden_->observed(
      webhooks::process(command->argv, hidden_->limits, std::move(tally), hidden_->cluster_of_process()));
}

std::optional<Error> ExternalWebhooks::await_start(const cases::Cluster& cluster) const {
  if (!hidden_->clusters->is_shared()) return std::nullopt;
  hidden_->clusters->show(cluster);
  std::map<std::string, std::shared_ptr<Hidden::Start>> starts;
  {
    const std::lock_guard lock(hidden_->mutex);
    starts = hidden_->starts;
  }
  for (const auto& [address, start] : starts) {
    Hidden::await(*start, address, hidden_->wait_seconds);
    if (start->problem) return start->problem;
  }
  return std::nullopt;
}
bool ExternalWebhooks::assumes_conditions() const { return hidden_->assumes_conditions; }
const std::vector<std::string>& ExternalWebhooks::code() const { return hidden_->code; }
bool ExternalWebhooks::has_shared_cluster() const { return hidden_->clusters->is_shared(); }
int ExternalWebhooks::connections(int jobs) const {
  return hidden_->connections > 0 ? hidden_->connections : has_shared_cluster() ? kConnections : jobs;
}
bool ExternalWebhooks::states_connections() const { return hidden_->connections > 0; }
Result<webhooks::Handler> ExternalWebhooks::over_another_connection(const cases::Url& url) const {
  return webhooks::https(hidden_->https_options(url));
}
CallMonitor& ExternalWebhooks::monitor() const { return hidden_->monitor; }
const Bundled& ExternalWebhooks::bundled() const { return hidden_->bundled; }
const Limits& ExternalWebhooks::limits() const { return hidden_->limits; }
const std::string& ExternalWebhooks::subjects_file() const { return hidden_->subjects_file; }
bool ExternalWebhooks::has_names_of_a_file() const { return !hidden_->webhooks_file.empty(); }

std::string ExternalWebhooks::flags_to_replay(const cases::Case& value) const {
  std::string routes;
  for (const auto& [name, backend] : value.webhooks) {
    const auto* url = std::get_if<cases::Url>(&backend);
    const std::string at = url == nullptr ? "" : hidden_->connection_to(url->url);
    if (at.empty()) continue;
    const std::string host = url->url.substr(8, url->url.find_first_of(":/", 8) - 8);
    const auto dot = host.find('.');
    const std::string route = " --service " + host.substr(dot + 1, host.size() - dot - 5) + "/" +
                              host.substr(0, dot) + "=https://" + at;
    if (routes.find(route) == std::string::npos) routes += route;
  }
  return routes.insert(0, cases::replay_flags(value, [&](const cases::Url& url) {
                         return !hidden_->connection_to(url.url).empty();
                       }));
}

}  // namespace fixpoint::external
