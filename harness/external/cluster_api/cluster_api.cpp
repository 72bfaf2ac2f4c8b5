#include "harness/external/cluster_api/cluster_api.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "harness/external/cluster_api/client_kubeconfig.h"
#include "harness/external/cluster_api/view_state.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/http_server.h"

namespace fixpoint::external {

namespace {

using document::Result;

constexpr std::chrono::milliseconds kClockTick{100};
/// The time within which a client's kernel takes the events of a change.
constexpr std::chrono::seconds kWrittenWithin{1};

/// Returns a token that nobody can guess.
std::string new_token() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::random_device random;
  std::string token = "fixpoint-view-";
  for (int i = 0; i < 32; ++i) token.push_back(kHex[random() & 15]);
  return token;
}

/// The token of an Authorization header; empty if it has none.
std::string_view token_of(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return authorization.starts_with(kScheme) ? authorization.substr(kScheme.size()) : std::string_view();
}

/// Watches have connections of their own, beside those that the limit gives to every server.
Limits limits_of_server(Limits limits) {
  limits.connections_max += limits.cluster_watches_max;
  return limits;
}

}  // namespace

ClusterView::ClusterView(std::shared_ptr<ViewState> state, std::string kubeconfig)
    : state_(std::move(state)), kubeconfig_(std::move(kubeconfig)) {}
ClusterView::~ClusterView() { state_->close(); }

const std::string& ClusterView::token() const { return state_->token(); }
ClusterView::Published ClusterView::publish(const cases::Cluster& cluster, std::string_view request_namespace,
                                            const std::vector<ReadFault>& faults) {
  const ViewState::Streams streams = state_->show(cluster, request_namespace, faults);
  const auto latest = std::chrono::steady_clock::now() + kWrittenWithin;
  const bool are_written = std::all_of(streams.begin(), streams.end(), [&](const auto& stream) {
    return stream->wait_until_written(latest) || !stream->is_open();
  });
  return {.has_events = !streams.empty(), .are_written = are_written};
}
bool ClusterView::show(const cases::Cluster& cluster, std::string_view request_namespace,
                       const std::vector<ReadFault>& faults) {
  const Published published = publish(cluster, request_namespace, faults);
  if (published.has_events)
    std::this_thread::sleep_for(std::chrono::milliseconds(state_->limits().cluster_settle_milliseconds));
  return published.are_written;
}
void ClusterView::let_lead(bool may_lead) { state_->let_lead(may_lead); }
std::vector<ApiAccess> ClusterView::take_accesses() { return state_->take_accesses(); }
bool ClusterView::was_read() const { return state_->was_read(); }
bool ClusterView::was_version_read() const { return state_->was_version_read(); }
bool ClusterView::has_watches() const { return state_->has_watches(); }
std::vector<std::string> ClusterView::notes() const { return state_->notes(); }

struct ClusterApi::Hidden {
  Limits limits = {};
  std::string server = {}, ca_pem = {};
  std::shared_ptr<std::atomic<std::size_t>> open_watches = std::make_shared<std::atomic<std::size_t>>(0);
  std::mutex mutex = {};
  std::map<std::string, std::weak_ptr<ViewState>, std::less<>> views = {};
  std::condition_variable stopped = {};
  bool is_stopped = false;
  std::thread clock = {};
  std::unique_ptr<webhooks::HttpServer> http = {};

  ~Hidden() {
    {
      const std::lock_guard lock(mutex);
      is_stopped = true;
    }
    stopped.notify_all();
    if (clock.joinable()) clock.join();
  }

  std::shared_ptr<ViewState> find(std::string_view token) {
    const std::lock_guard lock(mutex);
    const auto found = views.find(token);
    return found == views.end() ? nullptr : found->second.lock();
  }

  webhooks::HttpAnswer answer(const webhooks::HttpRequest& request) {
    if (read_path(request.path).target == ApiPath::Target::health)
      return {.body = "ok", .content_type = "text/plain; charset=utf-8"};
    const auto view = find(token_of(request.authorization));
    return view ? view->answer(request) : http_answer(failed(unauthorized()));
  }

  std::vector<std::shared_ptr<ViewState>> open_views() {
    std::vector<std::shared_ptr<ViewState>> open;
    std::erase_if(views, [&](const auto& entry) {
      auto view = entry.second.lock();
      if (!view) return true;
      open.push_back(std::move(view));
      return false;
    });
    return open;
  }

  void run_clock() {
    std::unique_lock lock(mutex);
    while (!stopped.wait_for(lock, kClockTick, [&] { return is_stopped; })) {
      const auto open = open_views();
      lock.unlock();
      for (const auto& view : open) view->tick(std::chrono::steady_clock::now());
      lock.lock();
    }
  }
};

ClusterApi::ClusterApi(std::unique_ptr<Hidden> hidden) : hidden_(std::move(hidden)) {}
ClusterApi::~ClusterApi() = default;

Result<std::unique_ptr<ClusterApi>> ClusterApi::start(const ClusterApiOptions& options) {
  const webhooks::Authority authority =
      webhooks::make_authority(webhooks::names_of_server(options.host, {}, ""));
  auto hidden = std::make_unique<Hidden>();
  hidden->limits = options.limits;
  hidden->ca_pem = authority.authority.certificate;
  auto http = webhooks::HttpServer::start(
      {.host = options.host,
       .port = options.port,
       .identity = authority.server,
       .limits = limits_of_server(options.limits),
       .handlers_wait = false},
      [own = hidden.get()](const webhooks::HttpRequest& request) { return own->answer(request); });
  if (!http) return std::move(http).error();
  hidden->http = *std::move(http);
  hidden->server = webhooks::url_of(options.host, hidden->http->port());
  hidden->clock = std::thread([own = hidden.get()] { own->run_clock(); });
  return std::unique_ptr<ClusterApi>(new ClusterApi(std::move(hidden)));
}

std::shared_ptr<ClusterView> ClusterApi::open_view() {
  auto state =
      std::make_shared<ViewState>(hidden_->limits, new_token(), hidden_->open_watches, hidden_->ca_pem);
  {
    const std::lock_guard lock(hidden_->mutex);
    hidden_->views.emplace(state->token(), state);
  }
  const std::string kubeconfig =
      kubeconfig_text({.server = hidden_->server, .ca_pem = hidden_->ca_pem, .token = state->token()});
  return std::make_shared<ClusterView>(std::move(state), kubeconfig);
}

int ClusterApi::port() const { return hidden_->http->port(); }
const std::string& ClusterApi::ca_pem() const { return hidden_->ca_pem; }

}  // namespace fixpoint::external
