#pragma once

#include <span>
#include <string_view>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

/// A step from one version of fixpoint's format to the next; it rewrites a document.
struct Migration {
  std::string_view from;  ///< "fixpoint/v1"
  std::string_view to;
  document::Result<document::Value> (*step)(document::Value);  ///< leaves apiVersion to the caller
};

/// Returns the table of all steps that stored documents may need, in any order. It is empty, because
/// fixpoint/v1 is the first version.
std::span<const Migration> all_migrations();

/// Returns the document, and a Case within a Finding, in the newest apiVersion (docs/formats.md#formats).
/// Documents of Kubernetes stay unchanged. An error for a version without a step.
document::Result<document::Value> migrate(document::Value value,
                                          std::span<const Migration> migrations = all_migrations());

}  // namespace fixpoint::cases
