#pragma once

#include <span>
#include <string_view>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

/// A step from one version of our format to the next: what was written then, as it is written now.
struct Migration {
  std::string_view from;  ///< "fixpoint/v1"
  std::string_view to;
  document::Result<document::Value> (*step)(document::Value);  ///< apiVersion is the caller's to change
};

/// One row for each step that stored documents may need, in any order. fixpoint/v1 is the first version:
/// there is none yet.
std::span<const Migration> all_migrations();

/// The document, and a Case within a Finding, in the newest apiVersion (docs/formats.md#formats). Kinds of
/// Kubernetes stay as they are. An error for a version that no step leads from.
document::Result<document::Value> migrate(document::Value value,
                                          std::span<const Migration> migrations = all_migrations());

}  // namespace fixpoint::cases
