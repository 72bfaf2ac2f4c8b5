#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/external/cluster_api/api_status.h"
#include "harness/external/cluster_api/object_form.h"
#include "harness/external/cluster_api/object_selector.h"
#include "harness/external/cluster_api/object_store.h"
#include "harness/webhooks/http_stream.h"

namespace fixpoint::external {

/// The resource and the options of a watch.
struct WatchTerms {
  std::shared_ptr<const ServedResources> resources;  ///< owns `resource`
  const ApiResource* resource = nullptr;
  std::string namespace_name = {};  ///< empty for all
  ObjectSelector selector = {};
  ObjectForm form = {};
  bool allows_bookmarks = false;
  std::chrono::steady_clock::time_point until = {};
};

/// One open watch: it turns changes into events and writes them to its stream. Not safe to share between
/// threads.
class ServedWatch {
 public:
  using Clock = std::chrono::steady_clock;

  ServedWatch(WatchTerms terms, std::shared_ptr<webhooks::HttpStream> stream)
      : terms_(std::move(terms)), stream_(std::move(stream)), bookmarked_(Clock::now()) {}

  const std::shared_ptr<webhooks::HttpStream>& stream() const { return stream_; }
  bool is_open() const { return stream_->is_open(); }
  const ApiResource& resource() const { return *terms_.resource; }

  /// Sends the objects as ADDED events; with `ends_initial`, then the bookmark that ends them.
  void send_initial(const ObjectStore::Objects& objects, std::uint64_t version, bool ends_initial);
  /// Begins after a version, without events.
  void begin_after(std::uint64_t version) { position_ = version; }
  /// Sends what changed since. Returns true if there was anything for this watch. A watch that is too far
  /// behind gets the error 410 and ends.
  bool catch_up(const ObjectStore& store);
  /// Ends the watch with an ERROR event.
  void fail(const ApiFailure& failure);
  /// Ends the watch if its time is over, and sends a bookmark every minute.
  void tick(Clock::time_point now);

 private:
  bool is_selected(const document::Value& object, const ObjectKey& key) const;
  bool offer(const ObjectEvent& event);
  void send(std::string_view type, const document::Value& object);
  void send_bookmark(bool ends_initial);

  WatchTerms terms_;
  std::shared_ptr<webhooks::HttpStream> stream_;
  std::uint64_t position_ = 0;
  Clock::time_point bookmarked_;
};

}  // namespace fixpoint::external
