#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "harness/cases/case.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/standard_output.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/backends/served_subjects.h"
#include "harness/external/backends/stored_case.h"
#include "harness/external/cluster_api/cluster_api.h"
#include "harness/webhooks/authority.h"

namespace fixpoint::cli {

namespace {

using document::Error;

constexpr std::chrono::milliseconds kTraceTick{50};

struct ClusterOptions {
  std::string file = {};
  std::string listen = "127.0.0.1:0";
  std::string kubeconfig_out = {};
  bool traces = false;
  std::vector<std::string> limits = {};
};

/// A cluster, and the namespace of the request that belongs to it.
struct NamedCluster {
  cases::Cluster cluster = {};
  std::string request_namespace = {};
};

/// Reads one stored Case or Finding, or a file of plain manifests.
Result<NamedCluster> cluster_of(const ClusterOptions& options, const external::ExternalWebhooks& outside) {
  const auto documents =
      document::read_documents(options.file, document::Strictness::foreign, outside.limits());
  if (!documents) return documents.error();
  const bool is_stored = !documents->empty() && documents->front()["apiVersion"].text() == cases::kApiVersion;
  if (!is_stored) {
    auto manifests = external::served_cluster({options.file}, {});
    if (!manifests) return std::move(manifests).error();
    return NamedCluster{.cluster = *std::move(manifests)};
  }
  auto stored = external::read_cases({options.file}, outside);
  if (!stored) return std::move(stored).error();
  if (stored->size() != 1 || stored->front().sequence)
    return Error{"expected one Case or Finding", options.file};
  const cases::Case& value = stored->front().value;
  return NamedCluster{.cluster = value.cluster, .request_namespace = value.request.namespace_name};
}

/// Prints each access as one line on standard error while it exists.
class AccessTrace {
 public:
  explicit AccessTrace(external::ClusterView& view)
      : thread_([this, &view] {
          while (!is_stopped_) {
            print(view);
            std::this_thread::sleep_for(kTraceTick);
          }
          print(view);
        }) {}
  ~AccessTrace() {
    is_stopped_ = true;
    thread_.join();
  }
  AccessTrace(const AccessTrace&) = delete;
  AccessTrace& operator=(const AccessTrace&) = delete;

 private:
  static void print(external::ClusterView& view) {
    for (const external::ApiAccess& access : view.take_accesses())
      std::fprintf(stderr, "%s\n", document::printable(cases::describe(access)).c_str());
  }
  std::atomic<bool> is_stopped_{false};
  std::thread thread_;
};

/// Prints the kubeconfig, or writes it to a file that its owner alone may read, because of the token.
std::optional<Error> give_kubeconfig(const std::string& kubeconfig, const std::string& path) {
  if (!path.empty()) return document::write_file(path, kubeconfig, document::Readers::owner);
  std::fputs(kubeconfig.c_str(), stdout);
  if (!end_standard_output()) return Error{"cannot write the kubeconfig", "standard output"};
  return std::nullopt;
}

int run(const ClusterOptions& options, const webhooks::Address& address,
        const external::ExternalWebhooks& outside) {
  const auto shown = cluster_of(options, outside);
  if (!shown) return bad_input(shown.error());
  hold_interrupts();  // before any thread starts
  const auto api =
      external::ClusterApi::start({.limits = outside.limits(), .host = address.host, .port = address.port});
  if (!api) return bad_input(api.error());
  const auto view = (*api)->open_view();
  view->show(shown->cluster, shown->request_namespace);
  for (const std::string& note : view->notes())
    std::fprintf(stderr, "fixpoint: %s\n", document::printable(note).c_str());
  if (const auto problem = give_kubeconfig(view->kubeconfig(), options.kubeconfig_out))
    return unfinished(*problem);
  std::fprintf(stderr, "serving the cluster at %s, until Ctrl-C or SIGTERM\n",
               webhooks::url_of(address.host, (*api)->port()).c_str());
  std::optional<AccessTrace> trace;
  if (options.traces) trace.emplace(*view);
  wait_for_interrupt();
  return kNothingFound;
}

}  // namespace

int cluster(const Arguments& arguments) {
  ClusterOptions options;
  Options line("cluster",
               "Serves the cluster of one Case as a Kubernetes API over HTTPS, and prints the "
               "kubeconfig to reach it: for webhooks and tools that read a cluster.",
               "  fixpoint cluster case.yaml > kubeconfig\n"
               "  fixpoint cluster --kubeconfig-out kubeconfig --trace manifests.yaml");
  line.positional("CASE", options.file, "a file of one Case or Finding, or of plain manifests", true);
  line.value("--listen HOST:PORT", options.listen,
             "where to listen (default 127.0.0.1:0; port 0 is a free one)");
  line.value("--kubeconfig-out FILE", options.kubeconfig_out,
             "write the kubeconfig to this file (mode 0600)");
  line.flag("--trace", options.traces, "print what clients read and write, a line each, on standard error");
  line.value("--limit NAME=VALUE", options.limits, "a bound; `fixpoint list` has them all");
  if (const auto code = line.parse(arguments)) return *code;
  const auto address = webhooks::parse_address(options.listen);
  if (!address) return bad_input("--listen " + options.listen + ": expected HOST:PORT");
  // No webhook is ever called here, so a Case may name any.
  const auto outside =
      external_webhooks({.allow_exec = true, .allow_remote = true, .limits = options.limits});
  if (!outside) return bad_input(outside.error());
  return run(options, *address, *outside);
}

}  // namespace fixpoint::cli
