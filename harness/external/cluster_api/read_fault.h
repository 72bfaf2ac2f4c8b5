#pragma once

#include <string>

#include "harness/cases/api_access.h"

namespace fixpoint::external {

using cases::ApiAccess;

/// A read that fails. `resource` is a plural, "*" for all; `fault` is "403", "404", "500", "timeout" (504
/// after Limits::cluster_timeout_milliseconds), or "stale" (the cluster shown before, without events).
struct ReadFault {
  std::string resource;
  std::string fault;
  bool operator==(const ReadFault&) const = default;
};

}  // namespace fixpoint::external
