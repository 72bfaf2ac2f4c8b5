#include <benchmark/benchmark.h>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/document/json.h"
#include "harness/external/backends/served_webhook.h"
#include "harness/webhooks/authority.h"
#include "harness/webhooks/https.h"
#include "harness/webhooks/process.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::webhooks {
namespace {

constexpr const char* kSubject = "peers/sidecar-guarded";

/// Returns a Pod of about 3 kB, as the API server sends it.
Value pod() {
  Value pod = document::read_json(R"({"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[
      {"name":"app","image":"app:1"}]}})",
                                  {})
                  .value();
  for (int i = 0; document::write_json(pod).size() < 2600; ++i) {
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .edit("env")
        .push_back({{"name", "SETTING_" + std::to_string(i)}, {"value", "some value"}});
  }
  return apiserver::default_pod(apiserver::decode_pod(pod).value());
}

void call_again_and_again(benchmark::State& state, const Handler& handler) {
  const Value object = pod(), none;
  cases::Request request;
  request.object = object;
  const cases::Cluster cluster;
  for (auto _ : state) {
    const Answer answer = handler({.object = object,
                                   .old_object = none,
                                   .request = request,
                                   .cluster = cluster,
                                   .webhook = "c/w",
                                   .review_version = "v1",
                                   .uid = "u",
                                   .name = "p"});
    if (!answer.problem.empty() || !answer.patch) return state.SkipWithError(answer.problem.c_str());
  }
  state.counters["calls/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void in_process(benchmark::State& state) {
  call_again_and_again(state, injectors::resolve(kSubject).value());
}
BENCHMARK(in_process)->UseRealTime();

/// A server and a client with persistent connections.
struct Served {
  explicit Served(bool handlers_wait)
      : server(Server::start({.identity = authority.server, .handlers_wait = handlers_wait},
                             {{"/c/w", external::respond_with(injectors::resolve(kSubject).value(), "c/w",
                                                              std::make_shared<cases::Cluster>())}})
                   .value()),
        handler(https({.url = "https://127.0.0.1:" + std::to_string(server->port()) + "/c/w",
                       .ca_bundle = authority.authority.certificate})
                    .value()) {}
  webhooks::Authority authority = webhooks::make_authority({"127.0.0.1"});
  std::unique_ptr<Server> server;
  Handler handler;
};
/// Measures calls as to `serve` with bundled injectors.
void https_kept_alive(benchmark::State& state) {
  static const Served served(false);
  call_again_and_again(state, served.handler);
}
BENCHMARK(https_kept_alive)->MeasureProcessCPUTime()->UseRealTime()->Threads(1)->Threads(8);

/// Measures calls as to `serve` with external webhooks, and as to `live`.
void https_with_workers(benchmark::State& state) {
  static const Served served(true);
  call_again_and_again(state, served.handler);
}
BENCHMARK(https_with_workers)->MeasureProcessCPUTime()->UseRealTime()->Threads(1)->Threads(8);

const Handler& over_a_process() {
  static const Handler handler = process({FIXPOINT_PROGRAM, "serve", kSubject, "--stdio"});
  return handler;
}
void line_by_line(benchmark::State& state) { call_again_and_again(state, over_a_process()); }
BENCHMARK(line_by_line)->MeasureProcessCPUTime()->UseRealTime()->Threads(1)->Threads(8);

}  // namespace
}  // namespace fixpoint::webhooks
