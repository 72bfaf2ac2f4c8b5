#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/document/result.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/api_status.h"

namespace fixpoint::external {

/// The options of a list or a watch that concern versions and time.
struct ListOptions {
  std::optional<std::uint64_t> version = {};  ///< absent, or 0, for any
  bool is_exact = false;                      ///< resourceVersionMatch=Exact
  std::optional<bool> sends_initial = {};     ///< sendInitialEvents
  bool allows_bookmarks = false;
  std::optional<std::int64_t> timeout_seconds = {};
};

/// Reads the options of a verb, or returns the failure with which the server refuses them. The rules are
/// those of ValidateListOptions in apimachinery.
struct ReadListOptions {
  ListOptions options = {};
  std::optional<ApiFailure> failure = {};
};
ReadListOptions read_list_options(const ApiQuery& query, bool is_watch);

}  // namespace fixpoint::external
