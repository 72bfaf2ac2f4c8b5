#include "harness/external/backends/backend_handlers.h"

#include <chrono>
#include <thread>
#include <vector>

#include "harness/external/backends/call_turns.h"
#include "harness/external/backends/process_account.h"
#include "harness/external/backends/reachable.h"
#include "harness/webhooks/supervisor.h"

namespace fixpoint::external {

using cases::Backend;
using document::Error;
using document::Result;

namespace {

/// The calls of a replica, and of one that takes longer than kSlowStart to start and answer the first.
constexpr int kCallsOfAReplica = 16, kCallsOfASlowReplica = 256;
constexpr std::chrono::milliseconds kSlowStart{100};

}  // namespace

/// The calls to all servers behind URLs: side by side, or one alone.
class BackendHandlers::Gate {
 public:
  /// A call that has passed, until it ends.
  class Passage {
   public:
    Passage(Gate& gate, bool is_alone) : gate_(gate), is_alone_(is_alone) {
      CallTurns::Lock lock(gate_.mutex_);
      is_alone_ ? gate_.turns_.be_alone(lock) : gate_.turns_.join(lock, [] { return true; });
    }
    ~Passage() {
      const CallTurns::Lock lock(gate_.mutex_);
      is_alone_ ? gate_.turns_.stop_alone() : gate_.turns_.leave();
    }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

   private:
    Gate& gate_;
    bool is_alone_;
  };

 private:
  std::mutex mutex_ = {};
  CallTurns turns_ = {};
};

BackendHandlers::BackendHandlers(const ExternalOptions& options, const Limits& limits,
                                 const BackendNames& names, Client client)
    : options_(options),
      limits_(limits),
      names_(names),
      client_(std::move(client)),
      clusters_(std::make_shared<WebhookClusters>(limits)),
      gate_(std::make_shared<Gate>()) {
  monitor_.limit_calls(limits.call_milliseconds_max);
}

/// Wraps the handler of a server: requests that are to be concurrent are sent each over a connection of its
/// own, unless the server takes one at a time.
webhooks::Handler BackendHandlers::concurrently(webhooks::Handler inner) const {
  return [inner = std::move(inner), &one_by_one = is_one_by_one_,
          is_stated = options_.connections == 1](const webhooks::Call& call) {
    if (call.concurrent == nullptr || one_by_one || is_stated) return inner(call);
    std::vector<std::jthread> others;  // joined also where the end of the run cuts the call short
    for (const webhooks::Call& other : *call.concurrent) others.emplace_back([&] { inner(other); });
    webhooks::Answer answer = inner(call);
    answer.was_concurrent = true;
    return answer;
  };
}

/// Wraps the handler of an external webhook for the run.
webhooks::Handler BackendHandlers::observed(webhooks::Handler inner) {
  return monitor_.monitored(patient(std::move(inner)));
}

webhooks::Handler BackendHandlers::patient(webhooks::Handler inner) const {
  if (!options_.debugs) return inner;
  return [inner = std::move(inner)](const webhooks::Call& call) {
    webhooks::Call patient = call;
    patient.timeout_seconds = kDebugSeconds;
    return inner(patient);
  };
}

void BackendHandlers::await(Start& start, const std::string& address, int seconds_max,
                            WebhookClusters& clusters, const cases::Cluster& cluster) {
  std::call_once(start.once, [&] {
    start.problem = clusters.show(cluster);
    if (!start.problem)
      start.problem = wait_until_reachable(address, seconds_max, [&] { clusters.let_lead(); });
  });
}

/// Wraps the handler of a URL that reads the shared cluster: before its first call the webhook has time to
/// start.
webhooks::Handler BackendHandlers::started_at_first(webhooks::Handler inner, const std::string& address) {
  if (!clusters_->is_shared()) return inner;
  auto& start = starts_[address];
  if (start == nullptr) start = std::make_shared<Start>();
  return [inner = std::move(inner), address, clusters = clusters_, start,
          seconds = options_.wait_seconds](const webhooks::Call& call) {
    await(*start, address, seconds, *clusters, call.cluster);
    return start->problem ? webhooks::fail("connection refused: " + start->problem->text()) : inner(call);
  };
}

webhooks::Handler BackendHandlers::patient_at_first(webhooks::Handler inner,
                                                    std::shared_ptr<Patience> patience) {
  return [inner = std::move(inner), patience = std::move(patience),
          clusters = clusters_](const webhooks::Call& call) {
    std::call_once(patience->first, [&] { patience->alone = clusters->stand_still(call); });
    return inner(call);
  };
}

webhooks::MakeProcessCluster BackendHandlers::cluster_of_process(std::vector<std::string> environment) const {
  return [clusters = clusters_, inherits = !options_.has_clean_environment,
          environment = std::move(environment)] {
    auto made = clusters->make();
    if (!made) return made;
    made->inherits_environment = inherits;
    made->environment.insert(made->environment.end(), environment.begin(), environment.end());
    return made;
  };
}

webhooks::HttpsOptions BackendHandlers::https_options(const cases::Url& url) const {
  return {.url = url.url,
          .connect_to = names_.connection_to(url.url),
          .ca_bundle = url.ca_bundle.empty() ? names_.ca_bundle() : url.ca_bundle,
          .client_certificate = client_.certificate,
          .client_key = client_.key,
          .allow_remote = options_.allow_remote,
          .limits = limits_};
}

Result<webhooks::Handler> BackendHandlers::reach(const cases::Url& url) {
  const auto key = std::pair(url.url, url.ca_bundle);
  if (const auto known = urls_.find(key); known != urls_.end()) return known->second;
  auto handler = webhooks::https(https_options(url));
  if (!handler) return handler;
  const std::string service = names_.connection_to(url.url),
                    address = service.empty() ? url.url : "https://" + service;
  auto& restarts = restarts_[address];
  if (restarts == nullptr) restarts = std::make_shared<Restarts>();
  constexpr int kRestartSeconds = 10;
  auto steady = across_restarts(
      *std::move(handler), [address] { return !wait_until_reachable(address, kRestartSeconds, [] {}); },
      restarts);
  // The time of a call is that of the webhook, without the wait for its cluster.
  auto passing = [gate = gate_, inner = monitor_.timed(patient(concurrently(std::move(steady))))](
                     const webhooks::Call& call) {
    const Gate::Passage passage(*gate, call.is_alone);
    return inner(call);
  };
  auto sharing = clusters_->sharing(std::move(passing));
  auto started = started_at_first(monitor_.unless_over(std::move(sharing)), address);
  return urls_.emplace(key, std::move(started)).first->second;
}

/// Returns a second process of a command, which is replaced after every kCallsOfAReplica calls: it differs
/// from the first process in what it remembers of its first requests.
webhooks::Handler BackendHandlers::replica_of(const cases::Command& command) {
  if (const auto known = replicas_.find(command.argv); known != replicas_.end()) return known->second;
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
      if (is_first) current->handler = observed(webhooks::process(argv, limits_, {}, cluster_of_process()));
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
  return replicas_.emplace(command.argv, std::move(handler)).first->second;
}

/// Returns the handler of a command in `among`, and starts one if there is none. The tally, if any, counts
/// its processes.
webhooks::Handler BackendHandlers::reach(const cases::Command& command, Processes& among,
                                         std::shared_ptr<webhooks::ProcessTally> tally,
                                         const std::vector<std::string>& environment) {
  if (const auto known = among.find(command.argv); known != among.end()) return known->second;
  auto handler =
      observed(webhooks::process(command.argv, limits_, std::move(tally), cluster_of_process(environment)));
  return among.emplace(command.argv, std::move(handler)).first->second;
}

Result<webhooks::Handler> BackendHandlers::reach(const Backend& backend) {
  const std::lock_guard lock(mutex_);
  return reach_outside(backend);
}

Result<webhooks::Handler> BackendHandlers::reach_outside(const Backend& backend) {
  if (auto refusal = names_.refusal_of_unnamed(backend)) return *std::move(refusal);
  if (const auto* url = std::get_if<cases::Url>(&backend)) return reach(*url);
  const auto& command = std::get<cases::Command>(backend);
  auto& tally = tallies_[command.argv];
  if (tally == nullptr) tally = std::make_shared<webhooks::ProcessTally>();
  return reach(command, commands_, tally);
}

/// Returns the command of a backend if it has one that may be run; else nullptr.
const cases::Command* BackendHandlers::command_of(const Backend& backend) const {
  const auto* command = std::get_if<cases::Command>(&backend);
  return command == nullptr || names_.refusal_of_unnamed(backend) ? nullptr : command;
}

std::optional<webhooks::Handler> BackendHandlers::reach_replica(const Backend& backend) {
  const std::lock_guard lock(mutex_);
  const auto* command = command_of(backend);
  return command == nullptr ? std::nullopt : std::optional(replica_of(*command));
}

std::optional<webhooks::Handler> BackendHandlers::reach_anew(const Backend& backend, Processes& among,
                                                             const std::vector<std::string>& environment) {
  const std::lock_guard lock(mutex_);
  const auto* command = command_of(backend);
  return command == nullptr ? std::nullopt : std::optional(reach(*command, among, {}, environment));
}

Result<webhooks::Handler> BackendHandlers::apart(const Backend& backend,
                                                 std::shared_ptr<webhooks::ProcessTally> tally) {
  const std::lock_guard lock(mutex_);
  const auto* command = command_of(backend);
  if (command == nullptr) return reach_outside(backend);
  auto named = command->argv;
  named.emplace_back();  // not the processes of the run
  tallies_[named] = tally;
  return observed(webhooks::process(command->argv, limits_, std::move(tally), cluster_of_process()));
}

std::string BackendHandlers::account() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [argv, tally] : tallies_)
    if (const std::string lines = account_of(argv.front(), *tally); text.find(lines) == text.npos)
      text += lines;
  for (const auto& [address, restarts] : restarts_)
    if (const int count = restarts->count; count > 0)
      text += address + ": gone and back again " + std::to_string(count) + " times: see its own log\n";
  if (const auto lost = webhooks::supervisors_lost(); lost > 0) {
    text += "exec: the supervisor of the processes was killed " + std::to_string(lost) +
            " times, and the processes with it; it was started again\n";
  }
  return text;
}

std::optional<Error> BackendHandlers::await_start(const cases::Cluster& cluster) {
  if (!clusters_->is_shared()) return std::nullopt;
  if (auto problem = clusters_->show(cluster)) return problem;
  std::map<std::string, std::shared_ptr<Start>> starts;
  {
    const std::lock_guard lock(mutex_);
    starts = starts_;
  }
  for (const auto& [address, start] : starts) {
    await(*start, address, options_.wait_seconds, *clusters_, cluster);
    if (start->problem) return start->problem;
  }
  return std::nullopt;
}

}  // namespace fixpoint::external
