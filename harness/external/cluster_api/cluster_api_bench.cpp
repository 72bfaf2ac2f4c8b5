#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "harness/external/cluster_api/api_client_model.h"
#include "harness/external/cluster_api/cluster_api.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::external {
namespace {

using document::Value;

cases::Cluster cluster_of_secrets(int count, const std::string& text) {
  std::vector<Value> objects;
  for (int i = 0; i < count; ++i) {
    Value secret = core_object("Secret", "default", "s" + std::to_string(i));
    secret.set("data", {{"key", text}});
    objects.push_back(secret);
  }
  return cluster_with(std::move(objects));
}

/// One get over a persistent connection on loopback, by the client that fixpoint itself uses.
void get_over_loopback(benchmark::State& state) {
  const auto api = ClusterApi::start({});
  const auto view = (*api)->open_view();
  view->show(cluster_of_secrets(10, "value"), "default");
  webhooks::Rest rest({.server = "https://127.0.0.1:" + std::to_string((*api)->port()),
                       .ca_bundle = (*api)->ca_pem(),
                       .token = view->token()});
  for (auto _ : state) {
    const auto answer = rest.send("GET", "/api/v1/namespaces/default/secrets/s5");
    if (!answer || answer->status != 200) state.SkipWithError("no answer");
  }
}
BENCHMARK(get_over_loopback)->Unit(benchmark::kMicrosecond);

/// The answer to one get without the network.
void get_without_network(benchmark::State& state) {
  ViewState view({}, "token", std::make_shared<std::atomic<std::size_t>>(0));
  view.show(cluster_of_secrets(10, "value"), "default");
  ApiClient client(view);
  for (auto _ : state) benchmark::DoNotOptimize(client.get("/api/v1/namespaces/default/secrets/s5").status);
}
BENCHMARK(get_without_network)->Unit(benchmark::kMicrosecond);

/// A switch between two clusters of ten objects, without watches.
void show_another_cluster(benchmark::State& state) {
  ViewState view({}, "token", std::make_shared<std::atomic<std::size_t>>(0));
  const cases::Cluster clusters[] = {cluster_of_secrets(10, "a"), cluster_of_secrets(10, "b")};
  int turn = 0;
  for (auto _ : state) benchmark::DoNotOptimize(view.show(clusters[++turn % 2], "default").size());
}
BENCHMARK(show_another_cluster)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fixpoint::external
