#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/external/cluster_api/api_answer.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/list_options.h"
#include "harness/external/cluster_api/object_store.h"
#include "harness/external/cluster_api/read_fault.h"
#include "harness/external/cluster_api/served_watch.h"
#include "harness/webhooks/http_server.h"

namespace fixpoint::external {

/// One client's cluster with its requests, watches and accesses; shared by the server and ClusterView. All
/// functions are safe to call from several threads.
class ViewState {
 public:
  /// `open_watches` counts the watches of all views of a server, `ca_pem` is the authority of its
  /// certificate.
  ViewState(const Limits& limits, std::string token, std::shared_ptr<std::atomic<std::size_t>> open_watches,
            std::string ca_pem = {});
  ~ViewState();
  ViewState(const ViewState&) = delete;
  ViewState& operator=(const ViewState&) = delete;

  const std::string& token() const { return token_; }
  const Limits& limits() const { return limits_; }
  /// Answers a request that carried the token.
  webhooks::HttpAnswer answer(const webhooks::HttpRequest& http);

  using Streams = std::vector<std::shared_ptr<webhooks::HttpStream>>;
  /// See ClusterView, which waits for the streams that are returned: those of the watches with an event.
  Streams show(const cases::Cluster& cluster, std::string_view request_namespace,
               const std::vector<ReadFault>& faults = {});
  void let_lead(bool may_lead);
  std::vector<ApiAccess> take_accesses();
  bool was_read() const;
  bool was_version_read() const { return was_version_read_; }
  bool has_watches() const;
  std::vector<std::string> notes() const;

  /// Ends watches whose time is over, and forgets those whose client has left.
  void tick(std::chrono::steady_clock::time_point now);
  /// Ends all watches; later requests get 401.
  void close();

 private:
  using Lock = std::lock_guard<std::mutex>;
  ApiAnswer answer_now(const ApiRequest& request);
  std::optional<ApiAnswer> answer_path(const ApiRequest& request);
  ApiAnswer answer_resource(const ApiRequest& request);
  ApiAnswer answer_verb(const ApiRequest& request, const ApiResource& resource, ApiAccess& access);
  ApiAnswer read(const ApiRequest& request, const ApiResource& resource, std::string_view verb);
  ApiAnswer get(const ApiRequest& request, const ApiResource& resource) const;
  ApiAnswer list(const ApiRequest& request, const ApiResource& resource, const ListOptions& options,
                 const ObjectSelector& selector) const;
  ApiAnswer watch(const ApiRequest& request, const ApiResource& resource, const ListOptions& options,
                  const ObjectSelector& selector);
  ApiAnswer write(const ApiRequest& request, const ApiResource& resource, ApiAccess& access);
  const ReadFault* fault_of(const ApiResource& resource) const;
  bool is_stale(const ApiResource& resource) const;
  /// The objects to read, and their version: the current ones, or under the fault "stale" those before.
  ObjectStore::Objects readable(const ApiResource& resource, std::uint64_t& version) const;
  Streams catch_up_watches();
  void forget_ended_watches();
  void record(ApiAccess access);

  const Limits limits_;
  const std::string token_, ca_pem_;
  const std::shared_ptr<std::atomic<std::size_t>> open_watches_;
  mutable std::mutex mutex_;
  cases::Cluster cluster_ = {};
  std::string request_namespace_ = {};
  std::vector<ReadFault> faults_ = {};
  bool is_shown_ = false, is_closed_ = false, was_read_ = false, may_lead_ = true;
  std::atomic<bool> was_version_read_{false};
  std::shared_ptr<const ServedResources> resources_ = std::make_shared<ServedResources>();
  ObjectStore store_;
  std::uint64_t version_before_ = 1;  ///< of the cluster that was shown before
  std::vector<std::string> notes_ = {};
  std::list<ServedWatch> watches_ = {};
  std::vector<ApiAccess> accesses_ = {};
  std::size_t reads_ = 0, writes_ = 0;  ///< in accesses_
  std::size_t changes_for_now_ = 0;     ///< by the client, which the next cluster takes back
};

}  // namespace fixpoint::external
