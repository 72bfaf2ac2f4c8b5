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
};

/// What a write comes to.
struct WriteResult {
  ApiAnswer answer;
  ObjectKey key = {};                     ///< of the object, as far as it is known
  bool is_dry_run = false;                ///< by the query, or by the options in the body of a delete
  std::optional<ObjectEvent> event = {};  ///< the change of a Lease
};

/// Answers reviews, Events (forgotten) and Leases (stored). Any other write fails as on a real server if the
/// object is missing or exists already, else with 403; a dry run is answered as if it had worked, a patch
/// of lists with a merge key as if it replaced them. Of a body in protobuf only a part is read
/// (protobuf_body.h), so that a dry run with one gets 415.
WriteResult answer_write(const ApiWrite& write, ObjectStore& store);

}  // namespace fixpoint::external
