#include "harness/external/backends/webhook_clusters.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/output_file.h"

namespace fixpoint::external {

namespace {

namespace files = std::filesystem;
using document::Error;
using document::Result;

constexpr std::array<std::pair<std::string_view, const char*>, 5> kFaults{{{"read-forbidden", "403"},
                                                                           {"read-not-found", "404"},
                                                                           {"read-error", "500"},
                                                                           {"read-timeout", "timeout"},
                                                                           {"read-stale", "stale"}}};

/// A folder that only this user can read, removed with this object.
class PrivateFolder {
 public:
  static Result<std::shared_ptr<PrivateFolder>> make() {
    std::error_code problem;
    const files::path place = files::temp_directory_path(problem);
    std::string path = (problem ? files::path("/tmp") : place) / "fixpoint-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) return Error{std::strerror(errno), path};
    return std::make_shared<PrivateFolder>(path);
  }
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  ~PrivateFolder() {
    std::error_code ignored;
    files::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Writes a file below the folder and returns its path.
  Result<std::string> write(const std::string& name, const std::string& text) const {
    const files::path path = files::path(path_) / name;
    std::error_code problem;
    files::create_directories(path.parent_path(), problem);
    if (problem) return Error{problem.message(), path.parent_path().string()};
    if (auto failed = document::write_file(path.string(), text, document::Readers::owner))
      return *std::move(failed);
    return path.string();
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

/// Returns the cluster without the configurations of webhooks that are not served: they differ in each Case,
/// and a webhook that watches configurations, for its certificate, looks for its own.
cases::Cluster served_to(const std::set<std::string, std::less<>>& configurations, cases::Cluster cluster) {
  std::erase_if(cluster.objects, [&](const document::Value& object) {
    return cases::is_webhook_configuration(object) &&
           !configurations.contains(object["metadata"]["name"].text());
  });
  return cluster;
}

}  // namespace

std::vector<ReadFault> read_faults_of(std::string_view fault) {
  for (const auto& [name, kind] : kFaults) {
    if (name == fault) return {{.resource = "*", .fault = kind}};
  }
  return {};
}

struct WebhookClusters::Hidden {
  /// A view with the cluster that it shows.
  class Shown {
   public:
    explicit Shown(std::shared_ptr<ClusterView> view) : view_(std::move(view)) {}

    /// Shows the cluster of a call; with `still_milliseconds`, a change stands as long before the call.
    void show(const webhooks::Call& call, int still_milliseconds) {
      const bool is_new = configurations_.emplace(call.webhook.substr(0, call.webhook.find('/'))).second;
      const bool changes = is_new || !(cluster_ == call.cluster);
      if (changes) {
        cluster_ = call.cluster;
        served_ = served_to(configurations_, call.cluster);
      }
      view_->show(served_, call.request.namespace_name, read_faults_of(call.read_fault));
      if (changes && still_milliseconds > 0 && view_->has_watches())
        std::this_thread::sleep_for(std::chrono::milliseconds(still_milliseconds));
      view_->take_accesses();  // those before the call belong to none
    }
    ClusterView& view() const { return *view_; }

   private:
    std::shared_ptr<ClusterView> view_;
    cases::Cluster cluster_ = {}, served_ = {};
    std::set<std::string, std::less<>> configurations_ = {};  ///< of the webhooks that read this view
  };

  explicit Hidden(const Limits& of_all) : limits(of_all) {}

  const Limits limits;
  std::mutex mutex = {};
  std::unique_ptr<ClusterApi> api = {};
  std::unique_ptr<Shown> shared = {};
  std::mutex shared_call = {};  ///< held while a webhook answers from the shared cluster

  /// Serves the API unless it is served.
  std::optional<Error> serve() {
    const std::lock_guard lock(mutex);
    if (api != nullptr) return std::nullopt;
    auto started = ClusterApi::start({.limits = limits});
    if (!started) return std::move(started).error().within("the API of the cluster");
    api = *std::move(started);
    return std::nullopt;
  }
};

WebhookClusters::WebhookClusters(const Limits& limits) : hidden_(std::make_shared<Hidden>(limits)) {}
WebhookClusters::~WebhookClusters() = default;

Result<webhooks::ProcessCluster> WebhookClusters::make() {
  if (auto problem = hidden_->serve()) return *std::move(problem);
  auto folder = PrivateFolder::make();
  if (!folder) return std::move(folder).error();
  const std::shared_ptr<ClusterView> view = hidden_->api->open_view();
  const auto kubeconfig = (*folder)->write("kubeconfig", view->kubeconfig());
  if (!kubeconfig) return kubeconfig.error();
  const std::array<std::pair<const char*, std::string>, 3> account{
      {{"token", view->token()}, {"ca.crt", hidden_->api->ca_pem()}, {"namespace", "default"}}};
  for (const auto& [name, text] : account) {
    if (const auto written = (*folder)->write(std::string("serviceaccount/") + name, text); !written)
      return written.error();
  }
  const std::string port = std::to_string(hidden_->api->port());
  return webhooks::ProcessCluster{
      .environment = {"KUBECONFIG=" + *kubeconfig, "KUBERNETES_SERVICE_HOST=127.0.0.1",
                      "KUBERNETES_SERVICE_PORT=" + port, "KUBERNETES_SERVICE_PORT_HTTPS=" + port,
                      "FIXPOINT_SERVICE_ACCOUNT=" + (*folder)->path() + "/serviceaccount"},
      .folder = (*folder)->path(),
      .show = [shown = std::make_shared<Hidden::Shown>(view), kept = *folder,
               hidden = hidden_](const webhooks::Call& call) { shown->show(call, 0); },
      .take_accesses = [view] { return view->take_accesses(); }};
}

std::optional<Error> WebhookClusters::share(const std::string& kubeconfig_file) {
  if (auto problem = hidden_->serve()) return problem;
  hidden_->shared = std::make_unique<Hidden::Shown>(hidden_->api->open_view());
  return document::write_file(kubeconfig_file, hidden_->shared->view().kubeconfig(),
                              document::Readers::owner);
}

bool WebhookClusters::is_shared() const { return hidden_->shared != nullptr; }

webhooks::Handler WebhookClusters::sharing(webhooks::Handler inner) {
  if (!is_shared()) return inner;
  return [inner = std::move(inner), hidden = hidden_](const webhooks::Call& call) {
    const std::lock_guard lock(hidden->shared_call);
    hidden->shared->show(call, 0);
    webhooks::Answer answer = inner(call);
    answer.accesses = hidden->shared->view().take_accesses();
    return answer;
  };
}

void WebhookClusters::show(const cases::Cluster& cluster) {
  if (!is_shared()) return;
  const std::lock_guard lock(hidden_->shared_call);
  hidden_->shared->view().show(cluster, cases::Request().namespace_name);
}

void WebhookClusters::stand_still(const webhooks::Call& call) {
  if (!is_shared()) return;
  const std::lock_guard lock(hidden_->shared_call);
  hidden_->shared->show(call, hidden_->limits.cluster_still_milliseconds);
}

}  // namespace fixpoint::external
