#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/external/cluster_api/api_answer.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/object_store.h"

namespace fixpoint::external {

/// A request that is no read.
struct ApiWrite {
  const ApiRequest& request;
  const ApiResource& resource;
  std::string_view token;
  const Limits& limits;
  std::size_t changes_so_far = 0;  ///< of what the cluster shows
  bool may_lead = true;            ///< else another replica holds all Leases
};

/// The result of a write.
struct WriteResult {
  ApiAnswer answer;
  ObjectKey key = {};        ///< of the object, as far as it is known
  bool is_dry_run = false;   ///< by the query, or by the options in the body of a delete
  bool has_changed = false;  ///< an object was stored or removed
  bool is_for_now = false;   ///< until the next cluster is shown: other objects than Leases
};

/// Answers reviews, Events (forgotten), and writes of objects, which the store keeps: Leases as long as the
/// client lives, others until the next cluster is shown. A write fails as on a real server if the object is
/// missing or exists already, and after Limits::cluster_accesses_max changes; a dry run is answered as if it
/// had worked. A patch of lists with a merge key replaces them. Of a body in protobuf only a part is read and
/// kept (protobuf_body.h), so that a dry run with one gets 415.
WriteResult answer_write(const ApiWrite& write, ObjectStore& store);

}  // namespace fixpoint::external
