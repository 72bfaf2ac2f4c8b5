#include "harness/external/backends/webhook_clusters.h"

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

#include "harness/document/output_file.h"
#include "harness/external/backends/private_folder.h"
#include "harness/external/backends/shared_cluster.h"

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

}  // namespace

std::vector<ReadFault> read_faults_of(std::string_view fault) {
  for (const auto& [name, kind] : kFaults) {
    if (name == fault) return {{.resource = "*", .fault = kind}};
  }
  return {};
}

struct WebhookClusters::Hidden {
  explicit Hidden(const Limits& of_all) : limits(of_all) {}

  const Limits limits;
  std::mutex mutex = {};
  std::unique_ptr<ClusterApi> api = {};
  std::shared_ptr<SharedCluster> shared = {};
  std::string kubeconfig_file = {};  ///< to be written when a cluster is shown

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
      .show = [shown = std::make_shared<SharedCluster>(view, hidden_->limits), kept = *folder,
               hidden = hidden_](const webhooks::Call& call) { shown->show_exactly(call); },
      .take_accesses = [view] { return view->take_accesses(); }};
}

std::optional<Error> WebhookClusters::share(const std::string& kubeconfig_file) {
  if (auto problem = hidden_->serve()) return problem;
  const std::shared_ptr<ClusterView> view = hidden_->api->open_view();
  view->let_lead(false);  // else its controllers work on the objects of the Cases
  hidden_->shared = std::make_shared<SharedCluster>(view, hidden_->limits);
  hidden_->kubeconfig_file = kubeconfig_file;
  return document::write_file(kubeconfig_file, "", document::Readers::owner);
}

bool WebhookClusters::is_shared() const { return hidden_->shared != nullptr; }

webhooks::Handler WebhookClusters::sharing(webhooks::Handler inner) {
  if (!is_shared()) return inner;
  return [inner = std::move(inner), hidden = hidden_](const webhooks::Call& call) {
    return hidden->shared->answer(call, inner);
  };
}

void WebhookClusters::let_lead() {
  if (is_shared()) hidden_->shared->let_lead();
}

std::optional<Error> WebhookClusters::show(const cases::Cluster& cluster) {
  if (!is_shared()) return std::nullopt;
  hidden_->shared->show(cluster);
  const std::lock_guard lock(hidden_->mutex);
  const std::string file = std::exchange(hidden_->kubeconfig_file, "");
  if (file.empty()) return std::nullopt;
  return document::write_file(file, hidden_->shared->view().kubeconfig(), document::Readers::owner);
}

std::shared_ptr<void> WebhookClusters::stand_still(const webhooks::Call& call) {
  if (!is_shared()) return nullptr;
  auto alone = SharedCluster::alone(hidden_->shared);
  hidden_->shared->stand_still(call);
  return alone;
}

}  // namespace fixpoint::external
